import { Store as Shop } from "./store";

export function main(shop: Shop, unknown) {
  shop.load().save().save();
  unknown.load();
  [new Shop()].forEach((each) => each.save());
}
