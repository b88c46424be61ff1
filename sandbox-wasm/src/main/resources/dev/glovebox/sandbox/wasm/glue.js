// What a program finds beside the language itself: a console, process, timers, and as much of
// node's fs and require as a box has files. Everything that is needed later is taken from the
// globals now, before a program can change them; one that does so all the same harms only itself.
(() => {
  'use strict';

  const { readSync, writeSync } = Javy.IO;
  const invoke = java_invoke;
  const uncurried = (f) => Function.prototype.call.bind(f);
  const encoder = new TextEncoder();
  const encode = TextEncoder.prototype.encode.bind(encoder);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const decode = TextDecoder.prototype.decode.bind(decoder);
  const run = globalThis.eval;
  const own = Object.getOwnPropertyNames;
  const isArray = Array.isArray;
  const text = String;
  const resolve = Promise.resolve.bind(Promise);
  const then = uncurried(Promise.prototype.then);
  const join = uncurried(Array.prototype.join);
  const split = uncurried(String.prototype.split);
  const slice = uncurried(String.prototype.slice);
  const now = Date.now;
  const NUL = '\0';
  delete globalThis.Javy;
  delete globalThis.java_invoke;
  delete globalThis.plugin;

  // The host answers with '=' and a text, or with '!' and the name of an error.
  const host = (name, ...words) => {
    const answer = invoke('', name, join(words, NUL));
    if (answer[0] === '!') {
      const code = slice(answer, 1);
      const shown = words.length > 0 ? ` '${words[0]}'` : '';
      throw Object.assign(new Error(`${code}: ${name}${shown}`), { code, syscall: name, path: words[0] });
    }
    return slice(answer, 1);
  };
  const fields = (answer) => (answer === '' ? [] : split(answer, NUL));

  // Bytes, with the text that node's Buffer has.
  class Buffer extends Uint8Array {
    static from(value, encoding) {
      if (typeof value !== 'string') return new Buffer(value);
      if (encoding === 'hex') return new Buffer((value.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
      if (encoding === 'latin1' || encoding === 'binary') return new Buffer(value.split('').map((c) => c.charCodeAt(0)));
      return new Buffer(encode(value));
    }
    static alloc(size) { return new Buffer(size); }
    static isBuffer(value) { return value instanceof Buffer; }
    static byteLength(value) { return encode(value).length; }
    static concat(list) {
      const all = new Buffer(list.reduce((sum, one) => sum + one.length, 0));
      list.reduce((at, one) => (all.set(one, at), at + one.length), 0);
      return all;
    }
    toString(encoding) {
      if (encoding === 'hex') return Array.from(this, (byte) => byte.toString(16).padStart(2, '0')).join('');
      if (encoding === 'latin1' || encoding === 'binary') return Array.from(this, (byte) => text.fromCharCode(byte)).join('');
      return decode(this);
    }
  }

  const bytesOf = (data) => (typeof data === 'string' ? encode(data)
    : ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : encode(text(data)));
  // The engine moves bytes of its own three streams only: the host lets a file stand in for one of them.
  const standing = (fd, action) => {
    if (fd <= 2) return action();
    host('stand-in', fd);
    try { return action(); } catch { return host('failure'); } finally { host('stand-in', -1); }
  };
  const readSome = (fd, into) => standing(fd, () => readSync(0, into));
  const writeAll = (fd, data) => {
    const bytes = bytesOf(data);
    standing(fd, () => writeSync(fd === 2 ? 2 : 1, bytes));
    return bytes.length;
  };
  const readAll = (fd) => {
    const parts = [];
    for (let size = 4096; ; size = Math.min(size * 2, 1 << 20)) {
      const part = new Uint8Array(size);
      const count = readSome(fd, part);
      if (count === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, count));
    }
  };
  const encodingOf = (options) => (typeof options === 'string' ? options : options?.encoding);
  const withFile = (path, flags, action) => {
    if (typeof path === 'number') return action(path);
    const fd = Number(host('open', text(path), flags));
    try { return action(fd); } finally { host('close', fd); }
  };

  const stats = (path) => {
    const [kind, size, modified] = fields(host('stat', text(path)));
    return {
      size: Number(size), mtimeMs: Number(modified), mtime: new Date(Number(modified)),
      isFile: () => kind === 'file', isDirectory: () => kind === 'directory', isSymbolicLink: () => false,
    };
  };
  const fs = {
    readFileSync: (path, options) => {
      const bytes = withFile(path === '/dev/stdin' ? 0 : path, 'r', readAll);
      const encoding = encodingOf(options);
      return encoding ? bytes.toString(encoding) : bytes;
    },
    writeFileSync: (path, data, options) => { withFile(path, options?.flag ?? 'w', (fd) => writeAll(fd, data)); },
    appendFileSync: (path, data) => { withFile(path, 'a', (fd) => writeAll(fd, data)); },
    openSync: (path, flags = 'r') => Number(host('open', text(path), flags)),
    closeSync: (fd) => { host('close', fd); },
    readSync: (fd, buffer, offset = 0, length = buffer.length - offset) => readSome(fd, buffer.subarray(offset, offset + length)),
    writeSync: (fd, data) => writeAll(fd, data),
    existsSync: (path) => { try { host('stat', text(path)); return true; } catch { return false; } },
    statSync: stats,
    lstatSync: stats,
    readdirSync: (path) => fields(host('list', text(path))),
    mkdirSync: (path, options) => {
      if (!options?.recursive) { host('mkdir', text(path)); return; }
      text(path).split('/').reduce((parent, name) => {
        const next = parent + name;
        if (name !== '' && !fs.existsSync(next)) host('mkdir', next);
        return `${next}/`;
      }, '');
    },
    rmdirSync: (path) => { host('rmdir', text(path)); },
    unlinkSync: (path) => { host('unlink', text(path)); },
    rmSync: (path, options) => {
      if (options?.force && !fs.existsSync(path)) return;
      if (!stats(path).isDirectory()) { host('unlink', text(path)); return; }
      if (options?.recursive) fs.readdirSync(path).forEach((name) => fs.rmSync(`${path}/${name}`, options));
      host('rmdir', text(path));
    },
    renameSync: (from, to) => { host('rename', text(from), text(to)); },
    copyFileSync: (from, to) => { fs.writeFileSync(to, fs.readFileSync(from)); },
  };

  // Nearly what node shows of a value, on one line.
  const inspect = (value, depth = 0, seen = []) => {
    if (typeof value === 'string') return depth === 0 ? value : `'${value.replace(/\\/g, '\\\\').replace(/'/g, "\\'").replace(/\n/g, '\\n')}'`;
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'symbol') return value.toString();
    if (Object.is(value, -0)) return '-0';
    if (typeof value === 'function') return /^class\b/.test(Function.prototype.toString.call(value)) ? `[class ${value.name || '(anonymous)'}]` : `[Function: ${value.name}]`.replace(': ]', ' (anonymous)]');
    if (typeof value !== 'object' || value === null) return text(value);
    if (seen.includes(value)) return '[Circular *1]';
    if (value instanceof Error) return told(value);
    if (value instanceof Date) return isNaN(value) ? 'Invalid Date' : value.toISOString();
    if (value instanceof RegExp) return text(value);
    const name = Object.getPrototypeOf(value) === null ? '[Object: null prototype]' : value.constructor?.name ?? 'Object';
    if (depth > 2) return isArray(value) ? '[Array]' : `[${name}]`;
    const inner = (one) => inspect(one, depth + 1, [...seen, value]);
    const key = (one) => (/^[A-Za-z_$][\w$]*$/.test(one) ? one : inspect(one, 1));
    const wrap = (open, parts, close) => (parts.length === 0 ? open + close : `${open} ${parts.join(', ')} ${close}`);
    const short = (list) => (list.length > 100 ? [...list.slice(0, 100).map(inner), `... ${list.length - 100} more items`] : list.map(inner));
    if (isArray(value)) return wrap('[', short(value), ']');
    if (ArrayBuffer.isView(value)) return wrap(`${name}(${value.length}) [`, short(Array.from(value)), ']');
    if (value instanceof Map) return wrap(`Map(${value.size}) {`, Array.from(value, ([k, v]) => `${inner(k)} => ${inner(v)}`), '}');
    if (value instanceof Set) return wrap(`Set(${value.size}) {`, Array.from(value, inner), '}');
    if (value instanceof Promise) return 'Promise';
    return wrap(name === 'Object' ? '{' : `${name} {`, Object.keys(value).map((k) => `${key(k)}: ${inner(value[k])}`), '}');
  };
  const told = (error) => {
    if (!(error instanceof Error)) return inspect(error, 1);
    const stack = (error.stack ?? '').replaceAll('<evalScript>', scriptName).replaceAll('<input>', scriptName)
      .split('\n').filter((line) => line !== '' && !line.includes('(eval_script') && !line.includes('(function.mjs') && !line.includes('(native)')).join('\n');
    return `${error.name}: ${error.message}${stack === '' ? '' : `\n${stack}`}`;
  };
  const format = (first, ...rest) => {
    let words = rest;
    const head = typeof first !== 'string' ? inspect(first) : rest.length === 0 ? first : first.replace(/%([sdifjoOc%])/g, (whole, kind) => {
      if (kind === '%') return '%';
      if (words.length === 0) return whole;
      const [word, ...others] = words;
      words = others;
      switch (kind) {
        case 's': return typeof word === 'string' ? word : inspect(word, 1);
        case 'd': return text(Number(word));
        case 'i': return text(parseInt(word, 10));
        case 'f': return text(parseFloat(word));
        case 'j': return JSON.stringify(word);
        case 'c': return '';
        default: return inspect(word, 1);
      }
    });
    return words.length === 0 ? head : [head, ...words.map((word) => inspect(word))].join(' ');
  };
  const print = (fd) => (...words) => { writeAll(fd, `${words.length === 0 ? '' : format(...words)}\n`); };
  const [out, err] = [print(1), print(2)];
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  define('console', {
    log: out, info: out, debug: out, error: err, warn: err, trace: err,
    dir: (value) => out(inspect(value)),
    assert: (ok, ...words) => { if (!ok) err('Assertion failed' + (words.length > 0 ? ':' : ''), ...words); },
  });
  define('print', out);
  define('Buffer', Buffer);

  const exit = (code) => host('exit', code);
  const process = {
    argv: [], env: {}, exitCode: undefined, platform: 'wasi', arch: 'wasm32', pid: 1,
    version: host('version'), versions: { quickjs: 'ng' },
    exit: (code) => exit(Number(code ?? process.exitCode ?? 0)),
    cwd: () => '/',
    uptime: () => Number(host('now')) / 1000,
    hrtime: Object.assign(
      (since = [0, 0]) => { const ms = Number(host('now')); const n = ms % 1000 * 1e6 - since[1]; return [Math.floor(ms / 1000) - since[0] - (n < 0 ? 1 : 0), n < 0 ? n + 1e9 : n]; },
      { bigint: () => BigInt(host('now')) * 1000000n }),
    cpuUsage: () => ({ user: Number(host('cpu')) * 1000, system: 0 }),
    memoryUsage: () => { const size = Number(host('memory')); return { rss: size, heapTotal: size, heapUsed: size, external: 0 }; },
    nextTick: (callback, ...words) => { then(resolve(), () => guarded(callback, words)); },
    stdout: { write: (data) => { writeAll(1, data); return true; }, isTTY: false },
    stderr: { write: (data) => { writeAll(2, data); return true; }, isTTY: false },
  };
  define('process', process);
  define('performance', { now: () => Number(host('now')) });

  // Modules: files of the box, and the few that there are without one.
  const builtin = { fs, process, buffer: { Buffer }, util: { inspect: (value) => inspect(value, 1), format }, path: {
    join: (...parts) => parts.join('/').replace(/\/+/g, '/'),
    basename: (path, end = '') => { const name = path.replace(/\/+$/, '').split('/').at(-1); return name.endsWith(end) ? name.slice(0, name.length - end.length) : name; },
    dirname: (path) => path.replace(/\/?[^/]*$/, '') || (path.startsWith('/') ? '/' : '.'),
    extname: (path) => /[^/.](\.[^/.]*)$/.exec(path)?.[1] ?? '',
  } };
  const loaded = Object.create(null);
  const requireFrom = (folder) => (name) => {
    const plain = text(name).replace(/^node:/, '');
    if (Object.hasOwn(builtin, plain)) return builtin[plain];
    const wanted = plain.startsWith('/') ? plain : `${folder}/${plain}`;
    const path = /^\.{0,2}\//.test(plain) && [wanted, `${wanted}.js`, `${wanted}.json`, `${wanted}/index.js`].find((one) => fs.existsSync(one) && stats(one).isFile());
    if (!path) throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
    if (loaded[path]) return loaded[path].exports;
    const module = loaded[path] = { exports: {} };
    const source = fs.readFileSync(path, 'utf8');
    if (path.endsWith('.json')) module.exports = JSON.parse(source);
    else run(`(function (exports, require, module, __filename, __dirname) { ${source}\n})`)(module.exports, requireFrom(builtin.path.dirname(path)), module, path, builtin.path.dirname(path));
    return module.exports;
  };

  // Timers: the host wakes us when the first one is due.
  let timers = [];
  let numbers = 0;
  const announce = () => { host('wake', timers.length === 0 ? -1 : Math.min(...timers.map((one) => one.due))); };
  const timer = (repeat) => (callback, delay = 0, ...words) => {
    const pause = Math.max(1, Number(delay) || 0);
    timers.push({ number: ++numbers, due: Number(host('now')) + pause, callback, words, pause, repeat });
    announce();
    return numbers;
  };
  const clear = (number) => { timers = timers.filter((one) => one.number !== number); announce(); };
  define('setTimeout', timer(false));
  define('setInterval', timer(true));
  define('setImmediate', (callback, ...words) => timer(false)(callback, 0, ...words));
  define('clearTimeout', clear);
  define('clearInterval', clear);
  define('clearImmediate', clear);

  const fail = (error) => {
    try { writeAll(2, `Uncaught ${told(error)}\n`); } catch { writeAll(2, 'Uncaught error that cannot be shown\n'); }
    exit(1);
  };
  const guarded = (callback, words) => { try { return callback(...words); } catch (error) { return fail(error); } };
  const tick = () => {
    if (timers.length === 0) exit(Number(process.exitCode ?? 0));
    const time = Number(host('now'));
    const due = timers.filter((one) => one.due <= time).sort((a, b) => a.due - b.due || a.number - b.number)[0];
    if (due) {
      if (due.repeat) due.due = time + due.pause; else timers = timers.filter((one) => one !== due);
      announce();
      guarded(due.callback, due.words);
    }
  };

  // As good as its seed, which each program gets anew; the engine's own was drawn before the program came.
  let [a, b, c, d] = [0, 0, 0, 0];
  const draw = () => {
    const t = ((a + b | 0) + d) | 0;
    d = d + 1 | 0;
    a = b ^ b >>> 9;
    b = c + (c << 3) | 0;
    c = (c << 21 | c >>> 11) + t | 0;
    return t >>> 0;
  };
  const random = () => (draw() * 2097152 + (draw() >>> 11)) / 9007199254740992;
  Object.defineProperty(Math, 'random', { value: random, writable: true, configurable: true });

  const module = { exports: {} };
  define('require', requireFrom(''));
  define('module', module);
  define('exports', module.exports);
  define('__dirname', '/');

  // All above is in the image that every program starts from; only what differs between programs is done here.
  let scriptName = '';
  const start = () => {
    const [first, second, third, fourth, count, ...words] = fields(host('beginning'));
    [a, b, c, d] = [first | 0, second | 0, third | 0, fourth | 0];
    words.splice(Number(count)).forEach((one) => { process.env[one.slice(0, one.indexOf('='))] = one.slice(one.indexOf('=') + 1); });
    scriptName = words[0];
    process.argv = ['/quickjs', ...words];
    define('__filename', scriptName);
    let last;
    try { last = run(host('source')); } catch (error) { fail(error); }
    // The promise of a last statement such as main() is the program's own.
    if (last instanceof Promise) then(last, undefined, fail);
  };

  let next = start;
  let inside = false;
  Object.defineProperty(globalThis, Symbol.for('glovebox.step'), {
    value: () => {
      if (inside) return; // called by the program itself
      inside = true;
      const step = next;
      next = tick;
      try { step(); } finally { inside = false; }
    },
  });
})();
