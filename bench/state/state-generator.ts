import { type Json, PROVIDER, type Resource, ResourceGenerator } from '../plan/plan-generator.ts';

const MODULES = 500;

/**
 * The text of a state file in chunks, as Terraform writes it: format 4, indented by two spaces, about 3 KB per resource.
 * The passwords of databases are marked as sensitive.
 */
export function* generateState(resources: number, seed = 1): Generator<string> {
  const generator = new ResourceGenerator(seed);
  yield '{\n  "version": 4,\n  "terraform_version": "1.11.4",\n  "serial": 7,\n  "lineage": "3f4e",\n  "outputs": {},\n  "resources": [';
  for (let i = 0; i < resources; i += 1) {
    const text = JSON.stringify(toStateEntry(generator.resource(i)), null, 2).replaceAll('\n', '\n    ');
    yield `${i === 0 ? '' : ','}\n    ${text}`;
  }
  yield '\n  ],\n  "check_results": null\n}\n';
}

function toStateEntry({ type, name, index, before, sensitive }: Resource): Json {
  return {
    module: `module.stack[${index % MODULES}]`,
    mode: 'managed',
    type,
    name,
    provider: `provider["${PROVIDER}"]`,
    instances: [
      {
        schema_version: 1,
        attributes: before,
        sensitive_attributes: Object.keys(sensitive).map((value) => [{ type: 'get_attr', value }]),
        private: 'eyJzY2hlbWFfdmVyc2lvbiI6IjEifQ==',
        dependencies: ['aws_kms_key.main', 'module.network.aws_vpc.main'],
      },
    ],
  };
}
