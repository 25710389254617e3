// The package holds a JSON list and has no types.

declare module "big-list-of-naughty-strings" {
  const strings: readonly string[];
  export default strings;
}
