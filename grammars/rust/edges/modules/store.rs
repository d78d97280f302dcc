pub struct Store;

pub trait Keep {
    fn keep(&self) {}
}

impl Keep for Store {}

impl Store {
    pub fn open() -> Result<Self, String> {
        Ok(Self)
    }

    pub fn save(&self) {
        self.keep();
    }
}
