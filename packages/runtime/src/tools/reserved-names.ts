import type { Language } from "@artificer/protocol";

/** Names that a kernel binds itself; a toolkit's global form never replaces one. */
const handleNames = [
  "tools",
  "skills",
  "artifacts",
  "deps",
  "display",
  "update_display",
  "clear_output",
  "share",
  "take",
  "unshare",
  "shared",
  "artificer",
  "artificer_tools",
  "json_parse",
  "shell_quote",
  "retry",
];

const pythonKeywords =
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield";

const pythonBuiltins =
  "ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip In Out get_ipython";

const typescriptKeywords =
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield";

const typescriptGlobals =
  "AbortController AbortSignal AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Blob Boolean BroadcastChannel Buffer ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy Crypto CryptoKey CustomEvent DOMException DataView Date DecompressionStream Error EvalError Event EventSource EventTarget File FinalizationRegistry Float32Array Float64Array FormData Function Headers Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math MessageChannel MessageEvent MessagePort NaN Navigator Number Object Performance Promise Proxy RangeError ReadableStream ReferenceError Reflect RegExp Request Response Set SharedArrayBuffer String SubtleCrypto Symbol SyntaxError TextDecoder TextEncoder TransformStream TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly WebSocket WritableStream atob btoa clearImmediate clearInterval clearTimeout console crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape exports fetch global globalThis isFinite isNaN module navigator parseFloat parseInt performance process queueMicrotask require setImmediate setInterval setTimeout structuredClone unescape";

/** A member called `then` would make a handle look like a promise; the others sit on every object. */
const typescriptMembers =
  "then constructor prototype hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf toJSON caller callee apply bind call length name";

const words = (text: string): Set<string> => new Set(text.split(" "));

/** What a language reserves: names that can't be identifiers at all, and names that must not be hidden. */
export interface ReservedNames {
  /** Never an identifier. */
  keywords: ReadonlySet<string>;
  /** Builtins of the language and the kernel's own handles. */
  globals: ReadonlySet<string>;
  /** Never the name of a tool under its toolkit, nor of a toolkit under `tools`. */
  members: ReadonlySet<string>;
  /** Members of `tools` itself. */
  toolsMembers: ReadonlySet<string>;
}

const toolsMembers = ["list", "search", "catalog"];

/** The reserved names of each language. */
export const reservedNames: Record<Language, ReservedNames> = {
  python: {
    keywords: words(pythonKeywords),
    globals: new Set([...words(pythonBuiltins), ...handleNames]),
    // What `help()` asks of a handle.
    members: new Set(["artificer_help"]),
    toolsMembers: new Set(toolsMembers),
  },
  typescript: {
    keywords: words(typescriptKeywords),
    globals: new Set([...words(typescriptGlobals), ...handleNames]),
    members: words(typescriptMembers),
    toolsMembers: new Set(toolsMembers),
  },
};
