export class Store {
  load() { return this; }
  save(): Store { return this; }
}

namespace Inner {
  function pick() {}
  export function run() { pick(); }
}

function pick() {}

describe("one", () => {
  function setup() { pick(); }
  it("works", () => setup());
});

describe("two", () => {
  function setup() { Inner.run(); }
  it("works", () => setup());
});
