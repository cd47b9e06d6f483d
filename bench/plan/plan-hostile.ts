/** Plans of at most 5 MB that are designed to be slow (P6). Each is built on demand. */

const SIZE = 5_000_000;

export interface HostilePlan {
  what: string;
  build(size: number): string;
}

function wrapPlan(entries: string): string {
  return `{"format_version":"1.2","resource_changes":[${entries}]}`;
}

function buildUpdate(after: string, before = '{}', more = ''): string {
  return `{"address":"aws_instance.a","type":"aws_instance","name":"a","change":{"actions":["update"],"before":${before},"after":${after}${more}}}`;
}

/** A string attribute that repeats the beginning of a secret. */
function createRepeatedText(what: string, text: string): HostilePlan {
  return {
    what: `one text of ${what}`,
    build: (size) => wrapPlan(buildUpdate(JSON.stringify({ user_data: text.repeat(Math.floor(size / text.length)) }))),
  };
}

function joinItems(size: number, item: (i: number) => string): string {
  const items: string[] = [];
  for (let i = 0, length = 0; length < size; i += 1) {
    const text = item(i);
    items.push(text);
    length += text.length + 1;
  }
  return items.join(',');
}

/** The four plans that the goal names. */
export const NAMED_PLANS: HostilePlan[] = [
  {
    what: '100,000 nested lists',
    build: () => wrapPlan(buildUpdate('['.repeat(100_000) + ']'.repeat(100_000))),
  },
  {
    what: 'one string of 5 MB',
    build: (size) => wrapPlan(buildUpdate(JSON.stringify({ user_data: 'x'.repeat(size) }))),
  },
  {
    what: '200,000 keys',
    build: () =>
      wrapPlan(buildUpdate(`{"tags":{${Array.from({ length: 200_000 }, (_, i) => `"key${i}":"v${i}"`).join(',')}}}`)),
  },
  {
    what: '5 MB of the smallest changes',
    build: (size) =>
      wrapPlan(joinItems(size, (i) => `{"address":"a.${i}","type":"a","name":"b","change":{"actions":["create"]}}`)),
  },
];

/** Plans for growth: twice the text may take only slightly more than twice the time. */
export const GROWING_PLANS: HostilePlan[] = [
  createRepeatedText('beginnings of tokens', 'eyJ'),
  createRepeatedText('beginnings of cloud keys', 'AKIA'),
  createRepeatedText('addresses with users', 'a://b:'),
  createRepeatedText('PEM headers', '-----BEGIN '),
  createRepeatedText('passwords without an end', 'password="'),
  createRepeatedText('blanks', ' '),
  createRepeatedText('opening brackets', '['),
  {
    what: 'similar marked values, and a text similar to them',
    build: (size) => {
      const marked = joinItems(size / 3, (i) => `"aaaaaaaa${i}"`);
      return wrapPlan(
        buildUpdate(`{"s":[${marked}],"t":"${'a'.repeat(size / 3)}"}`, '{}', ',"after_sensitive":{"s":true}'),
      );
    },
  },
  {
    what: 'a reversed list',
    build: (size) => {
      const items = Array.from({ length: size / 20 }, (_, i) => `{"a":${i}}`);
      return wrapPlan(buildUpdate(`{"l":[${[...items].reverse().join(',')}]}`, `{"l":[${items.join(',')}]}`));
    },
  },
  {
    what: 'as many replacement paths as attributes',
    build: (size) => {
      const keys = Array.from({ length: size / 30 }, (_, i) => i);
      const after = `{${keys.map((i) => `"k${i}":${i}`).join(',')}}`;
      return wrapPlan(buildUpdate(after, '{}', `,"replace_paths":[${keys.map((i) => `["q${i}"]`).join(',')}]`));
    },
  },
  {
    what: 'security group rules that all change',
    build: (size) => {
      const rules = (net: number) =>
        joinItems(
          size / 2,
          (i) =>
            `{"cidr_blocks":["${net}.${i % 256}.0.0/16"],"from_port":${i % 60_000},"to_port":${i % 60_000},"protocol":"tcp"}`,
        );
      const entry = buildUpdate(`{"ingress":[${rules(11)}]}`, `{"ingress":[${rules(10)}]}`);
      return wrapPlan(entry.replaceAll('aws_instance', 'aws_security_group'));
    },
  },
  {
    what: 'a policy with many statements',
    build: (size) => {
      const statement = (service: string) =>
        JSON.stringify(
          `{"Statement":[${joinItems(size / 3, (i) => `{"Effect":"Allow","Action":"${service}:Put${i}","Resource":"*"}`)}]}`,
        );
      const entry = buildUpdate(`{"policy":${statement('s3')}}`, `{"policy":${statement('ec2')}}`);
      return wrapPlan(entry.replaceAll('aws_instance', 'aws_iam_policy'));
    },
  },
];

export const HOSTILE_BYTES = SIZE;
