"""The files of the box: every name is opened from the directory before it, and no link is followed."""
import errno
import json
import os
import stat

from confine import USER

BODY = 32 * 1024
DEEPEST = 512


class Scratch:
    def __init__(self, wire, path):
        self.wire = wire
        self.root = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self.uploads = {}

    def folder(self, names, make=False):
        fd = os.dup(self.root)
        try:
            for name in names:
                if make:
                    try:
                        os.mkdir(name, 0o755, dir_fd=fd)
                        os.chown(name, USER, USER, dir_fd=fd, follow_symlinks=False)
                    except FileExistsError:
                        pass
                inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fd)
                os.close(fd)
                fd = inner
        except BaseException:
            os.close(fd)
            raise
        return fd

    @staticmethod
    def names(path):
        return path.encode().split(b"/") if path else []

    def beside(self, path, make=False):
        *parents, name = self.names(path)
        return self.folder(parents, make), name

    @staticmethod
    def entry(name, found):
        kind = {stat.S_IFREG: "FILE", stat.S_IFDIR: "DIRECTORY", stat.S_IFLNK: "LINK"}
        return {"name": name.decode(errors="surrogateescape"), "kind": kind.get(stat.S_IFMT(found.st_mode), "OTHER"),
                "size": found.st_size, "mode": stat.S_IMODE(found.st_mode), "modified": found.st_mtime_ns // 1000}

    def do_read(self, request):
        folder, name = self.beside(request["path"])
        try:
            fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        finally:
            os.close(folder)
        with open(fd, "rb") as file:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                self.wire.reply(request["id"], error="not a regular file")
                return
            if os.fstat(fd).st_size > request["most"]:
                self.wire.reply(request["id"], error="EFBIG")
                return
            total = 0
            while total <= request["most"] and (piece := file.read(BODY)):
                total += len(piece)
                self.wire.data(request["id"], piece)
        self.wire.reply(request["id"])

    def do_write(self, request):
        """Opens the file; its content follows in frames of data."""
        upload = {"left": request["size"], "fd": -1, "error": ""}
        try:
            folder, name = self.beside(request["path"], make=True)
            try:
                fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC,
                             0o600, dir_fd=folder)
            finally:
                os.close(folder)
            if stat.S_ISREG(os.fstat(fd).st_mode):
                upload["fd"] = fd
                os.ftruncate(fd, 0)
                os.fchown(fd, USER, USER)
                os.fchmod(fd, request["mode"])
            else:
                os.close(fd)
                upload["error"] = "not a regular file"
        except OSError as e:
            upload["error"] = errno.errorcode.get(e.errno, str(e.errno))
        self.uploads[request["id"]] = upload
        self.upload(request["id"], b"")

    def upload(self, number, piece):
        upload = self.uploads.get(number)
        if upload is None:
            return
        upload["left"] -= len(piece)
        if not upload["error"]:
            try:
                while piece:
                    piece = piece[os.write(upload["fd"], piece):]
            except OSError as e:
                upload["error"] = errno.errorcode.get(e.errno, str(e.errno))
        if upload["left"] <= 0:
            del self.uploads[number]
            if upload["fd"] >= 0:
                os.close(upload["fd"])
            self.wire.reply(number, **({"error": upload["error"]} if upload["error"] else {}))

    def do_mkdir(self, request):
        os.close(self.folder(self.names(request["path"]), make=True))
        self.wire.reply(request["id"])

    def do_stat(self, request):
        folder, name = self.beside(request["path"])
        try:
            self.wire.reply(request["id"], entry=self.entry(name, os.lstat(name, dir_fd=folder)))
        finally:
            os.close(folder)

    def do_list(self, request):
        folder = self.folder(self.names(request["path"]))
        try:
            left = request["most"]
            lines = bytearray()
            with os.scandir(folder) as found:
                for one in found:
                    try:
                        entry = self.entry(os.fsencode(one.name), one.stat(follow_symlinks=False))
                    except FileNotFoundError:
                        continue
                    lines += json.dumps(entry).encode() + b"\n"
                    if len(lines) >= BODY:
                        left -= len(lines)
                        if left < 2 * BODY:
                            self.wire.reply(request["id"], error="too many files to list")
                            return
                        self.wire.data(request["id"], lines)
                        lines = bytearray()
            self.wire.data(request["id"], lines)
        finally:
            os.close(folder)
        self.wire.reply(request["id"])

    def do_move(self, request):
        source, old = self.beside(request["path"])
        try:
            target, new = self.beside(request["to"], make=True)
            try:
                os.rename(old, new, src_dir_fd=source, dst_dir_fd=target)
            finally:
                os.close(target)
        finally:
            os.close(source)
        self.wire.reply(request["id"])

    def do_delete(self, request):
        folder, name = self.beside(request["path"])
        try:
            self.remove(folder, name, 0)
        finally:
            os.close(folder)
        self.wire.reply(request["id"])

    def remove(self, folder, name, depth):
        try:
            os.unlink(name, dir_fd=folder)
            return
        except IsADirectoryError:
            pass
        if depth > DEEPEST:
            raise OSError(errno.ELOOP, "too deep")
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
        try:
            for child in os.listdir(inner):
                self.remove(inner, os.fsencode(child), depth + 1)
        finally:
            os.close(inner)
        os.rmdir(name, dir_fd=folder)
