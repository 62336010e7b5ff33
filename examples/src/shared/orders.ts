import { createToolkit, defineTool } from "artificer";
import { z } from "zod";

/** Orders of a shop that only the host can see: six hundred, of which a model should read none. */
export const orders = Array.from({ length: 600 }, (_, at) => ({
  id: `o-${at}`,
  customer: ["ada", "bob", "cy"][at % 3] as string,
  cents: 100 + ((at * 7919) % 5000),
  late: at % 17 === 0,
}));

export const shop = createToolkit({
  name: "shop",
  description: "The shop's orders",
  tools: {
    orders: defineTool({
      description: "One page of fifty orders, by number from 0; an empty list after the last.",
      input: z.object({ page: z.int().min(0) }),
      effect: "read",
      run: ({ page }) => orders.slice(page * 50, page * 50 + 50),
    }),
  },
});

export const question = "Who has the most money in late orders, and how much is it in cents?";

/** The answer, worked out on the host. */
export function rightAnswer(): { customer: string; cents: number } {
  const sums = new Map<string, number>();
  for (const { customer, cents, late } of orders) if (late) sums.set(customer, (sums.get(customer) ?? 0) + cents);
  const [[customer, cents] = ["", 0]] = [...sums].sort(([, one], [, other]) => other - one);
  return { customer, cents };
}

/** How a model that writes code goes about it: a look, a mistake, a mended cell, words. */
export const cells = {
  look: "page = tools.shop.orders(page=0)\nlen(page), page[0]",
  mistake:
    "rows = [r for n in range(20) for r in tools.shop.orders(page=n)]\nsum(r['amount'] for r in rows if r['late'])",
  mended:
    "from collections import Counter\nsums = Counter()\nfor r in rows:\n    if r['late']: sums[r['customer']] += r['cents']\nprint(*sums.most_common(1)[0])",
};
