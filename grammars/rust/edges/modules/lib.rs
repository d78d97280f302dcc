mod store;

use store::Store;

fn helper() {}

mod inner {
    use super::helper as outer;

    fn helper() {}

    fn run() {
        helper();
        outer();
    }
}

fn open() -> Result<Store, String> {
    let store = Store::open()?;
    store.save();
    helper();
    Ok(store)
}

fn each(stores: Vec<Store>) {
    stores.iter().for_each(|store| store.save());
    for store in &stores {
        store.save();
    }
}
