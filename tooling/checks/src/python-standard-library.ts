/**
 * The modules that every CPython from 3.9 on has: what was added later or has been removed since isn't here, because the
 * kernel's program must run on all of them. Those with an underscore are CPython's own parts of public modules.
 */
export const pythonStandardLibrary: ReadonlySet<string> = new Set(
  `_ast _bisect _blake2 _codecs _collections _collections_abc _contextvars _datetime _frozen_importlib
    _frozen_importlib_external _functools _heapq _imp _io _json _locale _operator _pickle _posixsubprocess _queue _random
    _signal _socket _sre _stat _string _struct _tracemalloc _warnings _weakref _weakrefset
    __future__ _thread abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 cProfile
    calendar cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib
    contextvars copy copyreg csv ctypes curses dataclasses datetime dbm decimal difflib dis doctest email
    encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc
    genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib importlib
    inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox marshal math mimetypes mmap
    modulefinder msvcrt multiprocessing netrc nt ntpath nturl2path numbers opcode operator optparse os pathlib pdb
    pickle pickletools pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile
    pyclbr pydoc pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
    selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 sre_compile sre_constants
    sre_parse ssl stat statistics string stringprep struct subprocess symtable sys sysconfig syslog tabnanny
    tarfile tempfile termios textwrap threading time timeit tkinter token tokenize trace traceback tracemalloc tty
    types typing unicodedata unittest urllib uuid venv warnings wave weakref webbrowser winreg winsound wsgiref
    xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`.split(/\s+/),
);
