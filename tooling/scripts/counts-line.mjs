/** The line every script here ends with, and that `.ci/run` adds up. */
export function countsLine({ passed, failed, skipped = 0 }) {
  return `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}
