//! Searching a sorted list near one of its ends: in growing steps, so that what is near costs few
//! looks, and what is far not many more than halving the list does.

/// How many of a sorted list come before something that is probably near its start.
#[inline]
pub(super) fn count_from_start<T>(list: &[T], is_before: impl Fn(&T) -> bool) -> usize {
    let (mut start, mut step) = (0, 1);
    while list.get(start + step).is_some_and(&is_before) {
        start += step + 1;
        step *= 2;
    }
    let end = (start + step).min(list.len());
    start + list[start..end].partition_point(is_before)
}

/// How many of a sorted list come after something that is probably near its end.
#[inline]
pub(super) fn count_from_end<T>(list: &[T], is_after: impl Fn(&T) -> bool) -> usize {
    let (mut end, mut step) = (list.len(), 1);
    while end > step && is_after(&list[end - step - 1]) {
        end -= step + 1;
        step *= 2;
    }
    let start = end.saturating_sub(step);
    list.len() - start - list[start..end].partition_point(|item| !is_after(item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_count_what_halving_counts() {
        for length in 0..70 {
            let list: Vec<u32> = (0..length).map(|i| i / 3).collect();
            for limit in 0..25 {
                let before = list.partition_point(|&item| item < limit);
                let context = format!("{limit} among {length}");
                assert_eq!(count_from_start(&list, |&item| item < limit), before, "{context}");
                let after = list.len() - before;
                assert_eq!(count_from_end(&list, |&item| item >= limit), after, "{context}");
            }
        }
    }
}
