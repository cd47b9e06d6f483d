export interface ServerOptions {
  port?: number;
  host?: string;
  dataDir?: string;
}

/** The environment of this process, with the options of the command: the only configuration that the server reads. */
export function buildEnvironment({ port, host, dataDir }: ServerOptions): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...(port === undefined ? {} : { PORT: String(port) }),
    ...(host === undefined ? {} : { HOST: host }),
    ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
  };
}
