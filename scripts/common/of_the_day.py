"""What is drawn by the day: a share of many things, another one each day, the same one all day."""
import datetime
import os
import zlib


def today():
    """The day in UTC, or what POLYMEND_DAY says (2026-01-31), so that a run can be repeated."""
    return os.environ.get("POLYMEND_DAY") or datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def drawn(name, share, day):
    """Is the name one of those drawn, one in `share`, on the day?"""
    return zlib.crc32(f"{day} {name}".encode()) % share == 0
