/** What a value of an argument is; `block` has arguments of its own, alone or repeated. */
export type Kind = 'bool' | 'number' | 'string' | 'list' | 'map' | 'block';

/** One argument of a resource type or nested block, as the packages describe it. */
export interface Argument {
  /** Terraform's name. */
  name: string;
  kind: Kind;
  /** Documentation text; empty if the package has none. Used only to derive facts, never stored. */
  doc: string;
  /** Arguments of a block. */
  block?: Block;
}

/** Arguments by Terraform name. */
export type Block = Map<string, Argument>;

/** Blocks by Terraform resource type. */
export type Schema = Map<string, Block>;

/** One `interface` of a typings file. */
export interface TypeDeclaration {
  name: string;
  members: Member[];
}

/** One property of an interface: its comment and type as written. */
export interface Member {
  name: string;
  type: string;
  comment: string;
}
