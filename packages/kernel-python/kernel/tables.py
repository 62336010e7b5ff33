"""Tables: a pandas DataFrame where pandas is, records where it is not."""

from _struct import unpack

from _artificer.values import DTYPES, ValueProblem

# How pandas and numpy call the element types of the wire, and struct's letters for them.
CODES = {"int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4"}
CODES.update({"int64": "i8", "uint64": "u8", "float32": "f4", "float64": "f8"})
LETTERS = dict(zip(DTYPES, "bBhHiIqQfd"))


def encode_table(pandas, frame, encoder):
    """The tree of a DataFrame. `encoder` encodes what is within."""
    names = list(frame.columns)
    if not all(type(name) is str for name in names) or len(set(names)) != len(names):
        hint = "Rename them: df.columns = [...]."
        raise ValueProblem("value/not-encodable", "A DataFrame whose column names are no distinct strings can't cross", hint)
    if not is_counted(pandas, frame.index):
        hint = "Write df.reset_index(), or df.reset_index(drop=True) where it means nothing."
        raise ValueProblem("value/not-encodable", "A DataFrame with an index of its own can't cross", hint)
    if not names and len(frame):
        raise ValueProblem("value/not-encodable", "A DataFrame of rows without columns can't cross")
    columns = []
    for name in names:
        try:
            columns.append(encode_column(pandas, name, frame[name], encoder))
        except ValueProblem as problem:
            problem.steps.append(".%s" % name)
            raise
    return {"$": "table", "rows": len(frame), "columns": columns}


def is_counted(pandas, index):
    """Whether an index is the one that every frame has: 0, 1, 2 and so on."""
    if index.name is not None or isinstance(index, pandas.MultiIndex):
        return False
    return len(index) == 0 or (isinstance(index, pandas.RangeIndex) and index.start == 0 and index.step == 1)


def encode_column(pandas, name, series, encoder):
    dtype = str(series.dtype)
    if dtype in CODES:
        values = series.to_numpy()
        values = values.astype(values.dtype.newbyteorder("<"), order="C", copy=False)
        encoder.spend(values.nbytes)
        encoder.parts.append(values.tobytes())
        return {"name": name, "dtype": dtype, "code": CODES[dtype], "p": len(encoder.parts) - 1}
    items = series.astype(object)
    if dtype != "object":
        # A missing value is none, whatever stands for it in the column's type.
        items = items.where(series.notna(), None)
    items = items.tolist()
    if dtype == "category":
        rebuilt = pandas.Series(items, dtype=object).astype("category")
        if not rebuilt.dtype == series.dtype:
            hint = "Write df[%r] = df[%r].astype(str)." % (name, name)
            raise ValueProblem("value/not-encodable", "Categories that are ordered or not all used can't cross", hint)
    return {"name": name, "dtype": dtype, "v": encoder.encode_items(items)}


def as_frame(value):
    """A DataFrame of records, or of whatever else pandas makes one of. Raises ImportError without pandas."""
    import pandas

    return value if isinstance(value, pandas.DataFrame) else pandas.DataFrame(value)


def decode_table(tree, parts, decode):
    """A DataFrame, where pandas can be imported; else the records, as dictionaries."""
    columns = [(column, _values(column, parts, decode)) for column in tree["columns"]]
    try:
        import pandas
    except ImportError:
        return _records(columns, tree["rows"])
    return pandas.DataFrame({column["name"]: _series(pandas, column, values) for column, values in columns})


def _values(column, parts, decode):
    if "v" in column:
        return decode(column["v"], parts)
    return _Packed(column["code"], bytes(parts[column["p"]]))


class _Packed:
    def __init__(self, code, data):
        self.code = code
        self.data = data

    def items(self):
        return unpack("<%d%s" % (len(self.data) // int(self.code[1:]), LETTERS[self.code]), self.data)


def _series(pandas, column, values):
    if isinstance(values, _Packed):
        import numpy

        return pandas.Series(numpy.frombuffer(values.data, dtype="<" + values.code).copy())
    dtype = column["dtype"]
    try:
        made = pandas.Series(values, dtype=object)
        if dtype.startswith("datetime64[ns, "):
            # In summer and winter the offsets differ, of which pandas makes no zone by itself.
            return pandas.to_datetime(made, utc=True).astype(dtype)
        return made if dtype == "object" else made.astype(dtype)
    except (TypeError, ValueError):
        # Somebody has put values of another kind into it since.
        return pandas.Series(values)


def _records(columns, rows):
    lists = [(column["name"], values.items() if isinstance(values, _Packed) else values) for column, values in columns]
    return [{name: values[row] for name, values in lists} for row in range(rows)]
