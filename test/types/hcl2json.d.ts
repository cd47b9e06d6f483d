/** The package's own types bring in those of a browser, which differ from Node's. */
export function parse(filename: string, contents: string): Promise<Record<string, unknown>>;
