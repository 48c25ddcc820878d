// How vite gives a file's text.
declare module "*.toml?raw" {
  const text: string;
  export default text;
}
