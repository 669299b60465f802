"""URIs with a password, broken in every way that people break them: for test_secrets.py."""

FIRST, SECOND = "Zk7Qx", "Wv9Yp"  # the two parts of the password; neither may be shown
SERVERS = {"mongodb": "/db.docs", "mongodb+srv": "/db.docs", "postgresql": "/db?table=docs", "postgres": "/db?table=docs",
           "mysql": "/db?table=docs", "mariadb": "/db?table=docs", "sqlite": "/f.db?table=docs"}
HOSTS = ("127.0.0.1:1", "localhost", "a:1,b:2", "[::1]:1")
SPECIAL = "?#@/%:[] &=,;"
OPTIONS = ("password=", "pass=", "pwd=", "passwd=", "sslpassword=", "PassWord=", "secret=", "api_token=", "tlsCertificateKeyFilePassword=",
           "authMechanismProperties=AWS_SESSION_TOKEN:", "authMechanismProperties=SERVICE_NAME:x,", "x", "x=", "%70assword=",
           "table=t?password=", "sslmode=require@")


def malformed_uris():
    """More than 200, all different. In none does the password stand where nothing could tell it from a host, a path or a port."""
    found = []
    for scheme, rest in SERVERS.items():
        start = scheme + "://"
        # A character in the password, the user, or in a password that begins like a port, that was not escaped.
        for special in SPECIAL:
            found.append(f"{start}bob:{FIRST}{special}{SECOND}@127.0.0.1:1{rest}")
            found.append(f"{start}bo{special}b:{FIRST}@127.0.0.1:1{rest}")
            found.append(f"{start}bob:123{special}{SECOND}@127.0.0.1:1{rest}")
        found.append(f"{start}bob:{FIRST}?/@#:{SECOND}@127.0.0.1:1{rest}")
        for host in HOSTS:
            found.append(f"{start}bob:{FIRST}@{host}{rest}")
            found.append(f"{start}bob:1?{SECOND}@{host}{rest}")
        # No host, no path, no scheme, too few or too many slashes, blanks, other letters.
        full = f"bob:{FIRST}{SECOND}@127.0.0.1:1{rest}"
        found += [f"{start}bob:{FIRST}", f"{start}bob:{FIRST}@", f"{start}bob:{FIRST}@{rest}", f"{start}:{FIRST}@h{rest}", f"{start}bob:12?{SECOND}",
                  f"{start}bob:12#{SECOND}", f"{start}bob:{FIRST}@127.0.0.1:1", f"{scheme}:/{full}", f"{scheme}:{full}", f"{scheme}//{full}",
                  f"{scheme}:///{full}" if scheme != "sqlite" else f"{scheme}:/:{full}", f" {start}{full}", f"\t{start}{full}", f"'{start}{full}",
                  f"{scheme} ://{full}", f"{scheme.upper()}://{full}", f"{scheme.capitalize()}://{full}", f"{scheme}:\\\\{full}", full]
        separator = "&" if "?" in rest else "?"
        for option in OPTIONS:
            found.append(f"{start}127.0.0.1:1{rest}{separator}{option}{SECOND}")
        found.append(f"{start}127.0.0.1:1{rest}{separator}password={FIRST}@{SECOND}")
        found.append(f"{start}127.0.0.1:1{rest}{separator}password={FIRST}%zz{SECOND}")
    for other in ("s3", "https", "redis", "mongo", "x+y"):
        found.append(f"{other}://bob:{FIRST}@host/x")
        found.append(f"{other}://host/x?token={SECOND}")
    return list(dict.fromkeys(found))
