/** The package's own types include browser types, which conflict with Node's. */
export function parse(filename: string, contents: string): Promise<Record<string, unknown>>;
