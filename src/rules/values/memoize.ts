// What is made of an object once, for lists and parameters of rules, which are always the same objects.

export function memoize<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, { readonly value: T }>();
  return (key) => {
    let found = made.get(key);
    if (found === undefined) made.set(key, (found = { value: make(key) }));
    return found.value;
  };
}
