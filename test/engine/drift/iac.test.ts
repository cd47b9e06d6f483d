import { execFileSync, spawnSync } from 'node:child_process';
import { parse } from '@cdktf/hcl2json';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findMapping, listMappedTypes } from '../../../engine/drift/arguments/mapping.ts';
import { findJoinRule, generateIac, type LiveResource } from '../../../engine/drift/index.ts';
import { chooseType } from '../../../engine/drift/new-type.ts';
import type { JsonObject, JsonValue } from '../../../engine/index.ts';
import { AWS, AZURE, compute, GCP, live } from './compute.ts';
import { listPlaces, makeProperties } from './synthetic.ts';

const hasTerraform = spawnSync('terraform', ['version']).status === 0;

function findAccount(type: string) {
  if (type.startsWith('google_')) return GCP;
  return type.startsWith('azurerm_') ? AZURE : AWS;
}

/** A resource of a type that has a value at every place that its mapping reads. */
function makeLive(type: string): LiveResource {
  const places = listPlaces(findMapping(type)!).filter(({ path }) => path !== '');
  const group = `/subscriptions/${AZURE.external_account_id}/resourceGroups/shop/providers/Microsoft.Things`;
  const id = type.startsWith('azurerm_') ? `${group}/parents/one/things/thing-1` : 'thing-1';
  const properties = makeProperties(places);
  return live(findJoinRule(type)!.cloud_types[0]!, id, {
    ...{ properties, name: 'thing-1', tags: { stage: 'one' }, aliases: [id, 'arn:aws:x:::thing-1'] },
  });
}

/** Types that generation proposes for their own objects. */
const PROPOSED = listMappedTypes().filter((type) => {
  const rule = findJoinRule(type);
  return rule?.part === null && chooseType(makeLive(type), rule.provider) === type;
});

/** The arguments in a resource block, as a state would hold them. */
async function readBack(hcl: string, type: string): Promise<JsonObject> {
  const { resource } = (await parse('generated.tf', hcl)) as unknown as {
    resource: Record<string, Record<string, JsonObject[]>>;
  };
  const [body] = Object.values(resource[type]!)[0]!;
  // A variable has a value that the test does not know, as a state would.
  const known = Object.entries(body!).filter(([, value]) => typeof value !== 'string' || !value.startsWith('${var.'));
  return (await evaluate(Object.fromEntries(known))) as JsonObject;
}

/** hcl2json returns expressions as `${…}` and does not unescape texts. */
async function evaluate(value: JsonValue): Promise<JsonValue> {
  if (Array.isArray(value)) return Promise.all(value.map(evaluate));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(async ([name, member]) => [name, await evaluate(member)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }
  if (typeof value !== 'string') return value;
  const document = /^\$\{jsonencode\((.*)\)\}$/s.exec(value)?.[1];
  if (document === undefined) return value.replace(/([$%])\1(?=\{)/g, '$1');
  const { x } = (await parse('document.tf', `x = ${document}\n`)) as { x: JsonValue };
  return JSON.stringify(await evaluate(x));
}

test('many types of each cloud are generated from their settings', () => {
  const counts = ['aws_', 'google_', 'azurerm_'].map(
    (prefix) => PROPOSED.filter((type) => type.startsWith(prefix)).length,
  );

  expect(counts.every((count) => count >= 25)).toBe(true);
});

test.each(PROPOSED)('%s: the generated arguments, read back, are no drift from the resource', async (type) => {
  const resource = makeLive(type);
  const { hcl } = generateIac(resource, findAccount(type))!;

  const attributes = await readBack(hcl, type);

  const { provider_resource_id: id } = resource;
  const held = {
    ...attributes,
    id,
    arn: 'arn:aws:x:::thing-1',
    self_link: `//x/${id}`,
    name: attributes['name'] ?? id,
  };
  const account = findAccount(type);
  const parts = [...account.parts, { region: null, provider_type: resource.provider_type }];
  const report = compute({ ...account, parts }, [{ type, attributes: held }], [resource]);
  expect(report.items.filter(({ drift_type }) => drift_type === 'changed')).toEqual([]);
});

test('generated code has the layout of terraform fmt', () => {
  if (!hasTerraform) return;
  const code = PROPOSED.map((type) => generateIac(makeLive(type), findAccount(type))!)
    .flatMap(({ import_block, hcl }) => [...(import_block === null ? [] : [import_block]), hcl])
    .join('\n');

  const formatted = execFileSync('terraform', ['fmt', '-'], { input: code, encoding: 'utf8' });

  expect(formatted).toBe(code);
});

const hostile = fc.oneof(
  fc.string({ maxLength: 20, unit: 'grapheme' }),
  fc.constantFrom(
    ['$', '{var.x}'].join(''),
    '%{ if true }',
    '<<EOF\nx\nEOF',
    '"}\nresource "a" "b" {',
    '$$',
    '\\',
    '#',
    '*/',
  ),
);

test('hostile names, tags and keys are written as texts and read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(
      hostile,
      fc.dictionary(hostile, hostile, { maxKeys: 3, noNullPrototype: true }),
      async (name, tags) => {
        const resource = live('AWS::SQS::Queue', `https://sqs/${name}`, {
          name,
          tags,
          properties: { QueueName: name },
        });
        const { hcl } = generateIac(resource, AWS)!;

        const attributes = await readBack(hcl, 'aws_sqs_queue');

        expect(attributes['name'] ?? '').toBe(name.normalize('NFC'));
        const own = Object.entries(tags).filter(([key]) => !key.startsWith('aws:'));
        if (own.some(([, value]) => /secret|password|token/i.test(value))) return;
        expect(Object.keys((attributes['tags'] as JsonObject | undefined) ?? {})).toHaveLength(
          new Set(own.map(([key]) => key.normalize('NFC'))).size,
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('a secret is a sensitive variable, and never in the code', () => {
  const properties = {
    FunctionName: 'billing',
    Environment: { Variables: { DB_PASSWORD: 'hunter2-hunter2', STAGE: 'prod', API: '[redacted]' } },
  };

  const { hcl, notes } = generateIac(live('AWS::Lambda::Function', 'billing', { name: 'billing', properties }), AWS)!;

  expect(hcl).not.toContain('hunter2');
  expect(hcl).not.toContain('redacted');
  expect(hcl).toContain('sensitive = true');
  expect(hcl).toMatch(/STAGE\s+= "prod"/);
  expect(notes.join(' ')).toMatch(/is secret: set the variable billing_/);
});

test('what is left to fill in is named, and nothing is invented', () => {
  const { status, hcl, missing_arguments, notes } = generateIac(
    live('AWS::CloudFront::Distribution', 'E1', { properties: {} }),
    AWS,
  )!;

  expect(status).toBe('partly');
  expect(missing_arguments).toContain('restrictions');
  expect(hcl).toContain('# Fill in: restrictions');
  expect(notes[0]).toMatch(/^Fill in the required arguments/);
});

test('a resource of a type without a mapping keeps its import block and its tags', () => {
  const generated = generateIac(live('AWS::IoT::Policy', 'p1', { name: 'p1', tags: { team: 'core' } }), AWS);

  expect(generated?.status ?? 'partly').toBe('partly');
});

test('what only the ID of a resource in Azure tells is taken from it, in the letters that the inventory knows', () => {
  const server = `/subscriptions/${AZURE.external_account_id}/resourceGroups/Shop/providers/Microsoft.Sql/servers/Core`;
  const id = `${server}/databases/Orders`;
  const database = live('microsoft.sql/servers/databases', id.toLowerCase(), { aliases: [id], name: 'Orders' });

  const generated = generateIac({ ...database, properties: {} }, AZURE)!;

  expect(generated).toMatchObject({ resource_type: 'azurerm_mssql_database', missing_arguments: [] });
  expect(generated.hcl).toContain(`server_id = "${server}"`);
  expect(generated.hcl).toMatch(/name\s+= "Orders"/);
});
