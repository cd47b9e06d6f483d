/** A realistic text of an attribute with a secret in it. */
export interface Shape {
  name: string;
  type: string;
  attribute: string;
  write: (secret: string) => unknown;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

function list(type: string, attribute: string, shapes: Record<string, (secret: string) => unknown>): Shape[] {
  return Object.entries(shapes).map(([name, write]) => ({ name, type, attribute, write }));
}

const SCRIPT = (line: string) => `#!/bin/bash\nset -euo pipefail\napt-get update\n${line}\nsystemctl restart app\n`;

const COMMANDS: Record<string, (x: string) => string> = {
  'long option, space': (x) => `app --user admin --password ${x} --verbose`,
  'long option, equals': (x) => `app --password=${x} start`,
  'long option, quotes': (x) => `app --password "${x}"`,
  'long option, equals and quotes': (x) => `app --password='${x}'`,
  'long option on a continued line': (x) => `app \\\n  --token \\\n  ${x} \\\n  --region eu`,
  'token option': (x) => `gitlab-runner register --token ${x}`,
  'registration token option': (x) => `gitlab-runner register --registration-token=${x} --url https://git.example.com`,
  'API key option': (x) => `datadog-agent --api-key ${x}`,
  'secret option': (x) => `oauth2-proxy --client-secret=${x} --cookie-secret ${x}`,
  'single dash option': (x) => `java -jar a.jar -password ${x}`,
  'keytool storepass': (x) => `keytool -import -storepass ${x} -keypass ${x} -file /tmp/ca.crt`,
  'kubectl from-literal': (x) =>
    `kubectl create secret generic db --from-literal=password=${x} --from-literal=pin=${x}`,
  'mysql attached': (x) => `mysql -h db -uroot -p${x} -e 'select 1'`,
  'mysql attached, quotes': (x) => `mysql -u root -p'${x}' app < /tmp/dump.sql`,
  'mysql spaced': (x) => `mysql -u root -p ${x} app`,
  mysqldump: (x) => `/usr/bin/mysqldump -u backup -p${x} --all-databases | gzip > /backup/all.gz`,
  mysqladmin: (x) => `mysqladmin -u root password '${x}'`,
  psql: (x) => `psql -h db -U app -p ${x}`,
  'docker login': (x) => `docker login -u ci -p ${x} registry.example.com`,
  'docker login attached': (x) => `docker login registry.example.com -u ci -p${x}`,
  'docker login from echo': (x) => `echo "${x}" | docker login -u ci --password-stdin registry.example.com`,
  'docker login from here-string': (x) => `docker login -u ci --password-stdin <<< "${x}"`,
  'docker run with env': (x) => `docker run -d -p 8080:80 -e MYSQL_ROOT_PASSWORD=${x} mysql:8`,
  'podman login': (x) => `podman login -p ${x} -u ci quay.io`,
  'helm registry login': (x) => `helm registry login -u ci -p ${x} registry.example.com`,
  'helm set': (x) => `helm upgrade --install db bitnami/postgresql --set auth.password=${x},auth.username=app`,
  'redis-cli': (x) => `redis-cli -h cache -a ${x} ping`,
  'redis-cli pass': (x) => `redis-cli --pass ${x} ping`,
  'curl user': (x) => `curl -fsSL -u deploy:${x} https://repo.example.com/app.tgz`,
  'curl user, quotes': (x) => `curl --user "deploy:${x}" https://repo.example.com`,
  'curl header': (x) => `curl -H "Authorization: Bearer ${x}" https://api.example.com`,
  'curl key header': (x) => `curl -H 'X-Api-Key: ${x}' https://api.example.com`,
  'curl cookie': (x) => `curl -b "session=${x}" https://app.example.com`,
  'wget password': (x) => `wget --http-user=u --http-password=${x} https://repo.example.com/a`,
  sshpass: (x) => `sshpass -p ${x} ssh root@10.0.0.5`,
  'sshpass attached': (x) => `sshpass -p'${x}' scp a root@10.0.0.5:/tmp`,
  mongosh: (x) => `mongosh --host db -u admin -p ${x} --authenticationDatabase admin`,
  'az login': (x) => `az login --service-principal -u 3f1c -p ${x} --tenant t`,
  sqlcmd: (x) => `sqlcmd -S db -U sa -P ${x} -Q 'select 1'`,
  ldapadd: (x) => `ldapadd -x -D cn=admin,dc=example -w ${x} -f /tmp/a.ldif`,
  smbclient: (x) => `smbclient //nas/share -U backup%${x}`,
  rabbitmqctl: (x) => `rabbitmqctl add_user app ${x}`,
  'minio client': (x) => `mc alias set minio https://minio.example.com admin ${x}`,
  'vault login': (x) => `vault login ${x}`,
  htpasswd: (x) => `htpasswd -bc /etc/nginx/.htpasswd admin ${x}`,
  openssl: (x) => `openssl enc -aes-256-cbc -pass pass:${x} -in a -out b`,
  'aws configure': (x) => `aws configure set aws_secret_access_key ${x}`,
  'sudo from echo': (x) => `echo ${x} | sudo -S systemctl restart app`,
  'PGPASSWORD before a command': (x) => `PGPASSWORD=${x} psql -h db -U app -c 'select 1'`,
  export: (x) => `export DB_PASSWORD="${x}"`,
  'export without quotes': (x) => `export API_TOKEN=${x}`,
  'AWS secret key': (x) => `AWS_SECRET_ACCESS_KEY=${x}`,
  'vendor API key': (x) => `STRIPE_API_KEY=${x}`,
  'variable DB_PASS': (x) => `DB_PASS=${x}`,
  'chpasswd from echo': (x) => `echo "root:${x}" | chpasswd`,
  'chpasswd here-document': (x) => `chpasswd <<EOF\nroot:${x}\nubuntu:${x}\nEOF`,
  useradd: (x) => `net user deploy ${x} /add`,
  'psql statement': (x) => `sudo -u postgres psql -c "CREATE USER app WITH PASSWORD '${x}';"`,
  'heredoc env file': (x) => `cat > /etc/app.env <<EOF\nPORT=80\nSECRET_KEY_BASE=${x}\nEOF`,
  netrc: (x) => `cat > ~/.netrc <<EOF\nmachine git.example.com login ci password ${x}\nEOF`,
  'netrc in lines': (x) => `machine git.example.com\n  login ci\n  password ${x}\n`,
  pgpass: (x) => `echo 'x' > /dev/null\ndb.example.com:5432:app:app:${x}`,
  'git clone with credentials': (x) => `git clone https://ci:${x}@git.example.com/org/app.git`,
};

const DOCUMENTS: Record<string, (x: string) => string> = {
  'one YAML line': (x) => `password: ${x}`,
  YAML: (x) => `db:\n  host: db\n  password: ${x}\n`,
  'YAML with quotes': (x) => `db:\n  user: app\n  password: "${x}"\n`,
  'YAML block': (x) => `db:\n  password: |\n    ${x}\n  user: app\n`,
  'YAML flow': (x) => `db: {user: app, password: ${x}, port: 5432}\nport: 80`,
  'YAML env list': (x) => `env:\n  - name: DB_PASSWORD\n    value: ${x}\n  - name: PORT\n    value: "80"\n`,
  'YAML compose': (x) =>
    `services:\n  db:\n    environment:\n      MYSQL_ROOT_PASSWORD: ${x}\n      - POSTGRES_PASSWORD=${x}\n`,
  'YAML arguments': (x) => `args:\n  - --token\n  - ${x}\n  - --verbose\n`,
  'YAML camel case': (x) => `auth:\n  adminPassword: ${x}\n  clientSecret: '${x}'\n`,
  'Kubernetes secret': (x) => `kind: Secret\ndata:\n  password: ${base64(x)}\n`,
  JSON: (x) => JSON.stringify({ db: { user: 'app', password: x } }),
  'JSON with lines': (x) => JSON.stringify({ clientSecret: x, port: 80 }, null, 2),
  'JSON in JSON': (x) => JSON.stringify({ config: JSON.stringify({ apiKey: x }) }),
  'JSON pairs': (x) =>
    JSON.stringify([
      { name: 'DB_PASSWORD', value: x },
      { name: 'PORT', value: '80' },
    ]),
  'JSON pairs in reverse': (x) => JSON.stringify([{ value: x, name: 'DB_PASSWORD' }]),
  'JSON parameters': (x) => JSON.stringify([{ ParameterKey: 'DbPassword', ParameterValue: x }]),
  'JSON command': (x) => JSON.stringify({ command: ['redis-server', '--requirepass', x] }),
  'JSON shell': (x) => JSON.stringify({ command: ['sh', '-c', `mysql -uroot -p${x}`] }),
  'JSON argument list': (x) => JSON.stringify({ args: ['redis-cli', '-a', x] }),
  'JSON that is cut': (x) => `{"db":{"user":"app","password":"${x}"},"rest":`,
  'JSON in a script': (x) => SCRIPT(`echo '{"token":"${x}"}' > /etc/app.json`),
  'escaped JSON in a script': (x) => SCRIPT(`echo "{\\"password\\": \\"${x}\\"}" > /etc/app.json`),
  XML: (x) => `<config><user>app</user><password>${x}</password></config>`,
  'XML with namespace and attribute': (x) => `<c:dbPassword encrypted="false">${x}</c:dbPassword>`,
  'XML attribute': (x) => `<datasource user="app" password="${x}"/>`,
  'XML property': (x) => `<property name="connection.password" value="${x}"/>`,
  'XML app setting': (x) => `<add key="ApiKey" value="${x}" />`,
  INI: (x) => `[db]\nuser = app\npassword = ${x}\n`,
  TOML: (x) => `[db]\nuser = "app"\npassword = "${x}"\n`,
  HCL: (x) => `storage "mysql" {\n  username = "vault"\n  password = "${x}"\n}\n`,
  'HCL aligned': (x) => `db {\n  password             = "${x}"\n}\n`,
  'HCL pair': (x) => `set {\n  name  = "auth.password"\n  value = "${x}"\n}\n`,
  properties: (x) => `spring.datasource.username=app\nspring.datasource.password=${x}\n`,
  Dockerfile: (x) => `FROM alpine\nENV DB_PASSWORD ${x}\nRUN true\n`,
  PHP: (x) => `<?php\n$config = ['host' => 'db', 'password' => '${x}'];\n`,
  Python: (x) => `import app\nPASSWORD = "${x}"\nconfig["token"] = '${x}'\n`,
  JDBC: (x) => `jdbc:postgresql://db:5432/app?user=app&password=${x}&ssl=true`,
  'JDBC SQL Server': (x) => `jdbc:sqlserver://db:1433;user=sa;password=${x};encrypt=true`,
  Postgres: (x) => `postgres://app:${x}@db:5432/app`,
  'Postgres keywords': (x) => `host=db user=app password=${x} dbname=app sslmode=require`,
  ODBC: (x) => `Driver={ODBC Driver 18};Server=db;UID=app;PWD=${x};Encrypt=yes`,
  'ODBC braces': (x) => `Driver={ODBC Driver 18};Server=db;UID=app;PWD={${x}};Encrypt=yes`,
  AMQP: (x) => `amqps://app:${x}@mq.example.com:5671/vhost`,
  Mongo: (x) => `mongodb+srv://app:${x}@cluster0.example.net/app?retryWrites=true`,
  Redis: (x) => `redis://:${x}@cache:6379/0`,
  SMTP: (x) => `smtps://mailer:${x}@smtp.example.com:465`,
  'Go MySQL DSN': (x) => `app:${x}@tcp(db:3306)/app?parseTime=true`,
  'Azure storage': (x) =>
    `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${x};EndpointSuffix=core.windows.net`,
  'SQL user': (x) => `CREATE USER 'app'@'%' IDENTIFIED BY '${x}';`,
  'SQL plugin': (x) => `ALTER USER root IDENTIFIED WITH mysql_native_password BY '${x}';`,
  'SQL role': (x) => `CREATE ROLE app LOGIN PASSWORD '${x}';`,
  'SQL login': (x) => `CREATE LOGIN app WITH PASSWORD = N'${x}';`,
  'SQL set password': (x) => `SET PASSWORD FOR 'root'@'localhost' = '${x}';`,
  'SQL Oracle': (x) => `CREATE USER app IDENTIFIED BY ${x} DEFAULT TABLESPACE users;`,
  'bearer header': (x) => `Authorization: Bearer ${x}`,
  'basic header': (x) => `Authorization: Basic ${base64(`app:${x}`)}`,
  'cookie header': (x) => `Cookie: theme=dark; session=${x}; lang=en`,
  'JSON header': (x) => JSON.stringify({ headers: { Authorization: `Bearer ${x}` } }),
  'key header': (x) => `GET / HTTP/1.1\nX-Auth-Token: ${x}\nHost: a\n`,
  PowerShell: (x) => `<powershell>\n$p = ConvertTo-SecureString "${x}" -AsPlainText -Force\n</powershell>`,
  'PowerShell string': (x) => `<powershell>\nConvertTo-SecureString -String '${x}' -AsPlainText -Force\n</powershell>`,
  'PowerShell variable': (x) => `<powershell>\n$adminPassword = "${x}"\n</powershell>`,
  'cloud-init chpasswd': (x) =>
    `#cloud-config\nchpasswd:\n  list: |\n    root:${x}\n    ubuntu:${x}\n  expire: false\n`,
  'cloud-init chpasswd users': (x) =>
    `#cloud-config\nchpasswd:\n  users:\n    - {name: root, password: ${x}, type: text}\n`,
  'cloud-init password': (x) => `#cloud-config\npassword: ${x}\nssh_pwauth: true\n`,
  'cloud-init file': (x) =>
    `#cloud-config\nwrite_files:\n  - encoding: b64\n    content: ${base64(`DB_PASSWORD=${x}\nPORT=80\n`)}\n`,
  'redis.conf': (x) => `bind 0.0.0.0\nrequirepass ${x}\nport 6379\n`,
  haproxy: (x) => `userlist ops\n  user admin insecure-password ${x}\n`,
  'base64 of a script': (x) => base64(SCRIPT(`export DB_PASSWORD="${x}"`)),
  'base64 of YAML': (x) => base64(`db:\n  password: ${x}\n`),
  'base64 of JSON': (x) => base64(JSON.stringify({ password: x })),
};

const ATTRIBUTES: Shape[] = [
  ...list('aws_lambda_function', 'environment', {
    variables: (x) => [{ variables: { DB_PASSWORD: x, LOG_LEVEL: 'info' } }],
    'secret in base64': (x) => [{ variables: { API_TOKEN: base64(x) } }],
    'text under a harmless name': (x) => [{ variables: { OPTS: `-Dspring.datasource.password=${x}` } }],
  }),
  ...list('aws_codebuild_project', 'environment', {
    'list of pairs': (x) => [{ environment_variable: [{ name: 'API_TOKEN', value: x, type: 'PLAINTEXT' }] }],
  }),
  ...list('google_cloud_run_service', 'template', {
    'list of pairs in containers': (x) => [{ spec: [{ containers: [{ env: [{ name: 'DB_PASSWORD', value: x }] }] }] }],
    'arguments of a container': (x) => [{ spec: [{ containers: [{ args: ['--token', x] }] }] }],
  }),
  ...list('helm_release', 'set', {
    'chart values': (x) => [
      { name: 'image.tag', value: '1.2' },
      { name: 'auth.password', value: x },
    ],
  }),
  ...list('kubernetes_deployment', 'spec', {
    'command of a tool': (x) => [{ template: [{ spec: [{ container: [{ command: ['redis-cli', '-a', x] }] }] }] }],
    'command in a shell': (x) => [
      { template: [{ spec: [{ container: [{ args: ['-c', `PGPASSWORD=${x} psql`] }] }] }] },
    ],
  }),
  ...list('aws_ecs_task_definition', 'container_definitions', {
    'container definitions': (x) =>
      JSON.stringify([{ name: 'web', environment: [{ name: 'DB_PASSWORD', value: x }], command: ['--api-key', x] }]),
  }),
  ...list('azurerm_app_service', 'app_settings', {
    'connection string': (x) => ({ Main: `Server=db;Database=a;User Id=app;Password=${x};Encrypt=true` }),
  }),
];

export const SHAPES: readonly Shape[] = [
  ...list('aws_instance', 'user_data', COMMANDS),
  ...list('google_compute_instance', 'metadata_startup_script', DOCUMENTS),
  ...ATTRIBUTES,
];

/** Command lines inside a longer script. */
export const SCRIPT_SHAPES: readonly Shape[] = list(
  'azurerm_linux_virtual_machine',
  'custom_data',
  Object.fromEntries(Object.entries(COMMANDS).map(([name, write]) => [name, (x: string) => SCRIPT(write(x))])),
);
