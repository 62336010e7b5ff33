"""Dates and times as the codec writes them: with all that they say, whether it is more than an instant or less."""

from _artificer.values import ValueProblem


def write_instant(datetime, value):
    """The text of a date or datetime. `datetime` is the module."""
    if not isinstance(value, datetime.datetime):
        return value.isoformat()
    if getattr(value, "nanosecond", 0):
        raise ValueProblem("value/not-encodable", "A time with nanoseconds can't cross", "Round it to microseconds.")
    fraction = "auto" if value.microsecond == 0 else "microseconds" if value.microsecond % 1000 else "milliseconds"
    # A subclass may write itself in another way.
    text = datetime.datetime.isoformat(value, timespec=fraction)
    zone = value.tzinfo
    if zone is None:
        return text
    if zone is datetime.timezone.utc:
        return text[:-6] + "Z"
    key = getattr(zone, "key", None)
    return "%s[%s]" % (text, key) if isinstance(key, str) else text


def read_instant(text):
    import datetime

    try:
        if "T" not in text:
            return datetime.date.fromisoformat(text)
        text, _, key = text.rstrip("]").partition("[")
        utc = text.endswith("Z")
        value = datetime.datetime.fromisoformat(text[:-1] + "+00:00" if utc else text)
    except ValueError:
        hint = "Python has the years from 1 to 9999. Pass the milliseconds as a number instead."
        raise ValueProblem("value/no-equal", "The date %s has no equal in Python" % text, hint) from None
    return _in_zone(value, key) if key else value


def _in_zone(value, key):
    """The instant in the zone of that name; where the machine does not know the zone, by its offset."""
    try:
        from zoneinfo import ZoneInfo

        return value.astimezone(ZoneInfo(key))
    except (ImportError, LookupError, ValueError, OSError):
        return value
