// Files that are bundled as text.
declare module "*.yaml" {
  const text: string;
  export default text;
}
declare module "*.yaml?places" {
  /** For `packedPlace`. */
  const places: string;
  export default places;
}
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*.browser.js" {
  const text: string;
  export default text;
}
