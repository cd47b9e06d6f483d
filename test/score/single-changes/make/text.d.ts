/** esbuild, which bundles the folder, reads such a file as text. */
declare module '*.txt' {
  const text: string;
  export default text;
}
