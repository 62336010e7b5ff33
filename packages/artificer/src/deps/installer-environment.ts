const allowed = new Set(["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TMPDIR", "TZ", "XDG_CACHE_HOME"]);
const network = new Set([
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
]);

/**
 * What an installer is given of the host's environment: packages run code of their own while they are built, and it shall not find
 * the host's secrets. pip's and uv's own variables pass, since they say where packages come from.
 */
export function installerEnvironment(host: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined) continue;
    const passes = allowed.has(name) || network.has(name.toUpperCase()) || /^(LC_|PIP_|UV_)/.test(name);
    if (passes) env[name] = value;
  }
  return { ...env, PIP_DISABLE_PIP_VERSION_CHECK: "1", PIP_NO_INPUT: "1" };
}
