import type { ContentBlock, ConverseCommandInput } from '@aws-sdk/client-bedrock-runtime';
import type { LlmRequest } from '../../domains/llm/types.ts';
import type { AssumeRole } from '../aws/assumed-role.ts';
import { type AwsKeys, awsClientOptions } from '../aws/client-options.ts';
import { refusal } from './faults.ts';
import { isThinkingClaude, type Provider, type RawAnswer, THINKING_TOKENS, type Transport } from './provider.ts';
import { portableSchema } from './schema.ts';

/** Models that reject a forced tool; they get an output format instead. */
const WITHOUT_FORCED_TOOLS = /claude-((fable|mythos)-[5-9]|(opus|sonnet)-(5-[1-9]|[6-9]))(?!\d)/;

export interface BedrockAccount {
  region: string;
  keys: AwsKeys;
  role_arn: string | undefined;
  model: string;
  endpoint: string | undefined;
  sts_endpoint: string | undefined;
  assumeRole: AssumeRole;
}

/** Calls models of several vendors in a customer's AWS account through the Converse API. */
export async function openBedrock(account: BedrockAccount): Promise<Provider> {
  const { region, model, endpoint } = account;
  const { BedrockRuntimeClient, ConverseCommand } = await import('@aws-sdk/client-bedrock-runtime');

  async function ask(transport: Transport, request: LlmRequest): Promise<RawAnswer> {
    const keys = await resolveKeys(transport, account);
    const client = new BedrockRuntimeClient(
      awsClientOptions(transport, { service: 'bedrock-runtime', region, endpoint, keys }),
    );
    const command = new ConverseCommand(buildRequest(model, request));
    const { output, stopReason, usage } = await client.send(command, { abortSignal: transport.signal });
    assertFinished(stopReason);
    return {
      text: readText(output?.message?.content ?? []),
      model,
      input_tokens: usage?.inputTokens,
      output_tokens: usage?.outputTokens,
    };
  }

  return { model, ask };
}

async function resolveKeys(transport: Transport, account: BedrockAccount): Promise<AwsKeys> {
  const { region, keys, role_arn, sts_endpoint, assumeRole } = account;
  return role_arn === undefined ? keys : assumeRole(transport, { region, keys, role_arn, endpoint: sts_endpoint });
}

function buildRequest(model: string, request: LlmRequest): ConverseCommandInput {
  const native = WITHOUT_FORCED_TOOLS.test(model);
  return {
    modelId: model,
    system: [{ text: request.system }],
    messages: [{ role: 'user', content: [{ text: request.user }] }],
    inferenceConfig: { maxTokens: request.max_output_tokens + (native ? THINKING_TOKENS : 0) },
    ...(native ? asOutputFormat(request) : asForcedTool(request)),
    // A forced tool and reasoning exclude each other.
    ...(!native && isThinkingClaude(model) ? { additionalModelRequestFields: { thinking: { type: 'disabled' } } } : {}),
  };
}

function asOutputFormat({ schema }: LlmRequest): Partial<ConverseCommandInput> {
  const { name, description, json } = schema;
  const jsonSchema = { name, description, schema: JSON.stringify(portableSchema(json)) };
  return { outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema } } } };
}

type ToolConfig = NonNullable<ConverseCommandInput['toolConfig']>;
type ToolSpec = NonNullable<NonNullable<ToolConfig['tools']>[number]['toolSpec']>;

function asForcedTool({ schema }: LlmRequest): Partial<ConverseCommandInput> {
  const { name, description, json } = schema;
  const inputSchema = { json: portableSchema(json) } as NonNullable<ToolSpec['inputSchema']>;
  return { toolConfig: { tools: [{ toolSpec: { name, description, inputSchema } }], toolChoice: { tool: { name } } } };
}

function assertFinished(reason: string | undefined): void {
  switch (reason) {
    case 'end_turn':
    case 'tool_use':
    case 'stop_sequence':
      return;
    case 'max_tokens':
    case 'model_context_window_exceeded':
      throw refusal('cut');
    case 'guardrail_intervened':
    case 'content_filtered':
      throw refusal('filtered');
    case 'refusal':
      throw refusal('declined');
    case undefined:
      throw new Error('neither a response nor a reason');
    default:
      throw refusal('malformed');
  }
}

/** The arguments of the tool call, or else the text. */
function readText(blocks: readonly ContentBlock[]): string {
  const call = blocks.find((block) => block.toolUse !== undefined)?.toolUse;
  if (call !== undefined) return JSON.stringify(call.input);
  return blocks.map((block) => block.text ?? '').join('');
}
