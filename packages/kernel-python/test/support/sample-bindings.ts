import { type Bindings, bindings as schema } from "@artificer/protocol";

export const bindings: Bindings = schema.parse({
  toolkits: [
    {
      name: "web-tools",
      identifier: "web",
      global: "web",
      description: "Reads the web.",
      tools: [
        {
          name: "get",
          identifier: "get",
          flat: "get",
          description: "Gets a page.",
          parameters: [
            { name: "url", identifier: "url", required: true, type: "str", description: "Where it is." },
            { name: "max-time", identifier: "max_time", required: false, type: "int", default: 30 },
            { name: "from", identifier: "from_", required: false, type: "str" },
          ],
          returns: "str",
        },
        {
          name: "echo",
          identifier: "echo",
          flat: "echo",
          description: "Gives back what it gets.",
          parameters: [{ name: "value", identifier: "value", required: true, type: "any" }],
          returns: "any",
        },
        { name: "any-thing", identifier: "any_thing", flat: "any_thing", parameters: [], returns: "any", open: true },
      ],
    },
  ],
});
