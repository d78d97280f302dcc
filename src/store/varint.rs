//! Numbers of seven bits a byte, lowest first, and ascending lists as their differences. Reading checks every bound and
//! answers `None` for what was never written.

/// Appends `value`.
pub(super) fn put(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

/// Reads what [`put`] wrote at `at` and moves it on.
#[inline]
pub(super) fn get(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let first = *bytes.get(*at)?;
    *at += 1;
    if first < 0x80 {
        return Some(u32::from(first));
    }
    let mut value = u32::from(first & 0x7f);
    for shift in [7, 14, 21, 28] {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// [`get`] for a value of at most 16 bits.
#[inline]
pub(super) fn get_u16(bytes: &[u8], at: &mut usize) -> Option<u16> {
    get(bytes, at)?.try_into().ok()
}

/// `len` bytes at `at`.
#[inline]
pub(super) fn take<'a>(bytes: &'a [u8], at: &mut usize, len: usize) -> Option<&'a [u8]> {
    let slice = bytes.get(*at..at.checked_add(len)?)?;
    *at += len;
    Some(slice)
}

/// Appends a text with its length in front.
pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, u32::try_from(text.len()).unwrap_or(u32::MAX));
    out.extend_from_slice(text.as_bytes());
}

/// Reads what [`put_text`] wrote.
pub(super) fn get_text<'a>(bytes: &'a [u8], at: &mut usize) -> Option<&'a str> {
    let len = get(bytes, at)?;
    std::str::from_utf8(take(bytes, at, usize::try_from(len).ok()?)?).ok()
}

/// An ascending list without repeats.
pub(super) fn pack_ascending(values: &[u32]) -> Vec<u8> {
    let mut out = Vec::with_capacity(values.len() * 2);
    let mut previous = 0;
    for &value in values {
        put(&mut out, value - previous);
        previous = value;
    }
    out
}

/// The list [`pack_ascending`] made the bytes of.
pub(super) fn unpack_ascending(bytes: &[u8]) -> Option<Vec<u32>> {
    let mut values = Vec::with_capacity(bytes.len());
    let (mut at, mut value) = (0, 0u32);
    while at < bytes.len() {
        value = value.checked_add(get(bytes, &mut at)?)?;
        values.push(value);
    }
    Some(values)
}

/// An ascending list of pairs without repeats.
pub(super) fn pack_pairs(pairs: &[(u32, u32)]) -> Vec<u8> {
    let mut out = Vec::with_capacity(pairs.len() * 4);
    let mut previous = 0;
    for &(left, right) in pairs {
        put(&mut out, left - previous);
        put(&mut out, right);
        previous = left;
    }
    out
}

/// The list [`pack_pairs`] made the bytes of.
pub(super) fn unpack_pairs(bytes: &[u8]) -> Option<Vec<(u32, u32)>> {
    let mut pairs = Vec::with_capacity(bytes.len() / 3);
    let (mut at, mut left) = (0, 0u32);
    while at < bytes.len() {
        left = left.checked_add(get(bytes, &mut at)?)?;
        pairs.push((left, get(bytes, &mut at)?));
    }
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ascending_lists_come_back(values in proptest::collection::btree_set(any::<u32>(), 0..40)) {
            let values: Vec<u32> = values.into_iter().collect();
            prop_assert_eq!(unpack_ascending(&pack_ascending(&values)), Some(values));
        }

        #[test]
        fn ascending_pairs_come_back(pairs in proptest::collection::btree_set(any::<(u32, u32)>(), 0..40)) {
            let pairs: Vec<(u32, u32)> = pairs.into_iter().collect();
            prop_assert_eq!(unpack_pairs(&pack_pairs(&pairs)), Some(pairs));
        }

        #[test]
        fn any_bytes_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            unpack_ascending(&bytes);
            unpack_pairs(&bytes);
            get_text(&bytes, &mut 0);
        }
    }
}
