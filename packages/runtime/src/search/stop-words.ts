/** English words that say nothing about a subject: grammar, and the small talk that requests are wrapped in. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can cannot
could did do does doing don down during each few find for from further get give had has have having he help her here hers him his
how i if in into is it its itself just know let like ll looking m may me might more most my myself need no nor not now of off on
once only or other our ours out over own please provide re s same she should show so some such t tell than that the their theirs
them then there these they this those through to too under until up us use using ve very want was we were what when where which
while who whom why will with would you your yours`.split(/\s+/),
);
