import type { JsonValue } from '../model/result.ts';
import { readPath } from './arguments/source-path.ts';
import { listManagers } from './type-rules.ts';
import type { CloudProvider, LiveResource } from './types.ts';

/** Words in the kind of an app of Azure, and the type that manages such apps; the first match counts. */
const APPS: readonly (readonly [words: readonly string[], type: string])[] = [
  [['functionapp', 'workflowapp'], 'azurerm_logic_app_standard'],
  [['functionapp', 'linux'], 'azurerm_linux_function_app'],
  [['functionapp'], 'azurerm_windows_function_app'],
  [['linux'], 'azurerm_linux_web_app'],
];

/** The Terraform type that would manage an undeclared resource; undefined if none is known. */
export function chooseType(live: LiveResource, provider: CloudProvider): string | undefined {
  const managers = listManagers(provider, live.provider_type);
  if (provider === 'azure') {
    if (live.provider_type === 'microsoft.web/sites') return chooseApp(toText(live, 'kind'));
    if (live.provider_type === 'microsoft.compute/virtualmachines') return chooseMachine(live);
  }
  if (live.provider_type === 'AWS::IAM::Role') return 'aws_iam_role';
  return managers[0];
}

function chooseApp(kind: string): string {
  const found = APPS.find(([words]) => words.every((word) => kind.includes(word)));
  return found?.[1] ?? 'azurerm_windows_web_app';
}

function chooseMachine(live: LiveResource): string {
  const system = toText(live, 'properties.storageProfile.osDisk.osType');
  return system === 'windows' ? 'azurerm_windows_virtual_machine' : 'azurerm_linux_virtual_machine';
}

function toText({ properties }: LiveResource, path: string): string {
  const value: JsonValue | undefined = properties === null ? undefined : readPath(properties, path);
  return typeof value === 'string' ? value.toLowerCase() : '';
}
