/**
 * About how many tokens a text is to a model, on the safe side: three characters of ASCII a token, as signatures have it, and one of any
 * other script. Models differ; no table of theirs is kept here.
 */
export function estimateTokens(text: string): number {
  let ascii = 0;
  let other = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) < 128) ascii++;
    else other++;
  }
  return Math.ceil(ascii / 3) + other;
}
