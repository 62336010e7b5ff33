/** What `artificer init` puts into a base, by path in it: two tools to begin with, and to copy from. */
export const starterFiles: Readonly<Record<string, string>> = {
  "tools/curl.yaml": `# A tool is a program with its arguments described. In a cell: tools.curl.get(url="https://example.org")
name: curl
description: Download web pages and call HTTP APIs
command: curl
effect: egress
timeout: 60
schema:
  options:
    header: { short: H, type: array, description: "A header line, such as Accept: application/json" }
    data: { type: string, description: Body to send }
    max-time: { type: number, description: Seconds at most }
  positional:
    - { name: url, type: string, required: true, description: The address }
recipes:
  get:
    description: Download what is at an address; redirects are followed, an error status fails
    args: [-sS, -L, --fail]
    params: { url: {}, header: {}, max-time: {} }
  post:
    description: Send a body to an address with POST, and answer what comes back
    args: [-sS, -L, --fail]
    params: { url: {}, data: { required: true }, header: {}, max-time: {} }
`,
  "tools/grep.yaml": `# In a cell: tools.grep.search(pattern="TODO", path="src")
name: grep
description: Find lines in files
command: grep
effect: read
output: lines
# 1 says that nothing was found, which is no failure.
successExitCodes: [0, 1]
schema:
  options:
    ignore-case: { type: boolean, short: i, description: Capitals and small letters alike }
    include: { type: string, style: equals, description: "Only files named so, such as *.py" }
  positional:
    - { name: pattern, type: string, required: true, description: A regular expression }
    - { name: path, type: string, default: ".", description: A file or folder }
recipes:
  search:
    description: Find the lines that match a pattern in all text files under a folder, with file and line number
    args: [-rnI, -E]
    params: { pattern: {}, path: {}, ignore-case: {}, include: {} }
`,
};
