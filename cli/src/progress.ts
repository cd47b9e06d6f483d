/** No progress is shown before this time. */
const SHOW_AFTER_MS = 1_000;
const INTERVAL_MS = 200;
const STEPS_BETWEEN_LOOKS = 256;
const CLEAR_LINE = '\r\u001b[K';

/** Shows on standard error how much was read; only on a terminal, and only if reading takes long. */
export function createProgress(noun: string, total: number | undefined): { add(bytes: number): void; clear(): void } {
  const { stderr } = process;
  let next = Date.now() + SHOW_AFTER_MS;
  let read = 0;
  let shown = false;

  function add(bytes: number): void {
    read += bytes;
    const now = Date.now();
    if (!stderr.isTTY || now < next) return;
    next = now + INTERVAL_MS;
    shown = true;
    stderr.write(
      `${CLEAR_LINE}reading the ${noun}: ${formatMegabytes(read)}${total ? ` of ${formatMegabytes(total)}` : ''} MB`,
    );
  }

  function clear(): void {
    if (shown) stderr.write(CLEAR_LINE);
    shown = false;
  }

  return { add, clear };
}

/** Shows on standard error how much of a long computation is done; only on a terminal, and only if it takes long. */
export function createCountProgress(text: string, total: number): { add(count: number): void; clear(): void } {
  const { stderr } = process;
  let next = Date.now() + SHOW_AFTER_MS;
  let done = 0;
  let shown = false;

  function add(count: number): void {
    done += count;
    // Looking at the clock costs more than most steps.
    if (!stderr.isTTY || done % STEPS_BETWEEN_LOOKS !== 0) return;
    const now = Date.now();
    if (now < next) return;
    next = now + INTERVAL_MS;
    shown = true;
    stderr.write(`${CLEAR_LINE}${text}: ${done} of ${total}`);
  }

  function clear(): void {
    if (shown) stderr.write(CLEAR_LINE);
    shown = false;
  }

  return { add, clear };
}

/** Shows on standard error what the command waits for, and for how long; only on a terminal. */
export function createStatusLine(): { show(text: string): void; clear(): void } {
  const { stderr } = process;
  let timer: NodeJS.Timeout | undefined;

  function show(text: string): void {
    if (!stderr.isTTY) return;
    clear();
    const since = Date.now();
    const write = () => stderr.write(`${CLEAR_LINE}${text}, ${Math.round((Date.now() - since) / 1_000)} s`);
    write();
    timer = setInterval(write, 1_000);
  }

  function clear(): void {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    stderr.write(CLEAR_LINE);
  }

  return { show, clear };
}

function formatMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(0);
}
