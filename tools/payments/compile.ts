/** JSON Schemas of the objects that an interface in TypeScript declares. */
import ts from 'typescript';

export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | false;
}

/**
 * Compiles the properties of the interface `Roots` in a file.
 *
 * Where a field holds either the ID of another object or, when a request expands it, the object itself, the schema allows
 * the ID alone. Other objects of the API inside an object are not compiled.
 *
 * @returns a schema of each property, and those of the types that they share
 */
export function compileRoots(file: string): { roots: Record<string, Schema>; shared: Record<string, Schema> } {
  const options = { strict: true, skipLibCheck: true, module: ts.ModuleKind.NodeNext, noEmit: true };
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const declared = source?.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === 'Roots');
  if (declared === undefined) throw new Error(`${file} declares no interface Roots.`);

  const shared: Record<string, Schema> = {};
  const names = new Map<ts.Type, string>();
  const properties = checker.getTypeAtLocation(declared).getProperties();
  const wanted = new Set(properties.map((one) => checker.getTypeOfSymbol(one)));
  const roots = Object.fromEntries(properties.map((one) => [one.name, compile(checker.getTypeOfSymbol(one))]));
  return { roots, shared };

  function compile(type: ts.Type): Schema {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' };
    if (type.flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (type.flags & ts.TypeFlags.NumberLike) return { type: 'number' };
    if (type.isUnion()) return compileUnion(type.types);
    if (checker.isArrayType(type)) return { type: 'array', items: compile(elementOf(type)) };
    return compileObject(type);
  }

  function elementOf(type: ts.Type): ts.Type {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    if (element === undefined) throw new Error('An array has no type of elements.');
    return element;
  }

  function compileUnion(types: readonly ts.Type[]): Schema {
    const present = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    const is_expandable = present.some(({ flags }) => flags & ts.TypeFlags.String);
    const kept = present.filter((one) => !is_expandable || !isObject(one));
    const literals = kept.map(compile);
    const values = literals.flatMap((one) => ('const' in one ? [one.const] : []));
    const others = unique(literals.filter((one) => !('const' in one)));
    const all =
      values.length === 0 ? others : [values.length === 1 ? { const: values[0] } : { enum: values }, ...others];
    const [only] = all;
    return all.length === 1 && only !== undefined ? only : { anyOf: all };
  }

  function isObject(type: ts.Type): boolean {
    return (type.flags & ts.TypeFlags.Object) !== 0 && type.getProperty('object') !== undefined;
  }

  /** Declared types are shared, because they can contain themselves. */
  function compileObject(type: ts.Type): Schema {
    if (type.symbol?.name === 'Decimal') return { type: 'string' };
    if (type.aliasTypeArguments !== undefined || type.symbol?.name === '__type') return readProperties(type);
    if (isObject(type) && type.getProperty('id') !== undefined && !wanted.has(type)) return { type: 'object' };
    const known = names.get(type);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = newName(type);
    names.set(type, name);
    shared[name] = {};
    shared[name] = readProperties(type);
    return { $ref: `#/$defs/${name}` };
  }

  function newName(type: ts.Type): string {
    const base = checker.typeToString(type, undefined, ts.TypeFormatFlags.UseFullyQualifiedType);
    const plain = base.replace(/import\([^)]*\)\./g, '').replace(/[^A-Za-z0-9]+/g, '_');
    const taken = (name: string) => shared[name] !== undefined;
    let name = plain;
    for (let number = 2; taken(name); number += 1) name = `${plain}_${number}`;
    return name;
  }

  function readProperties(type: ts.Type): Schema {
    const found = type.getProperties().filter(({ name }) => name !== 'lastResponse');
    const properties = Object.fromEntries(found.map((one) => [one.name, compile(checker.getTypeOfSymbol(one))]));
    const required = found.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name }) => name);
    const index = type.getStringIndexType();
    return { type: 'object', properties, required, additionalProperties: index === undefined ? false : compile(index) };
  }
}

function unique(schemas: readonly Schema[]): Schema[] {
  return [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()];
}
