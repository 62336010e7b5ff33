"""Makes a wheel by hand: local_wheel.py FOLDER NAME VERSION [REQUIREMENT]. No index and no build tool is needed to install it."""

import sys
import zipfile

folder, name, version, *requirements = sys.argv[1:]
info = "%s-%s.dist-info" % (name, version)
metadata = "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version)
metadata += "".join("Requires-Dist: %s\n" % requirement for requirement in requirements)
files = {
    "%s.py" % name: "version = %r\n" % version,
    "%s/METADATA" % info: metadata,
    "%s/WHEEL" % info: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}
files["%s/RECORD" % info] = "".join("%s,,\n" % path for path in files) + "%s/RECORD,,\n" % info
with zipfile.ZipFile("%s/%s-%s-py3-none-any.whl" % (folder, name, version), "w") as wheel:
    for path, text in files.items():
        wheel.writestr(path, text)
