/** Whether a desktop program could show a window. */
export function hasScreen(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
}

/** Whether `@vscode/test-electron` could download VS Code: asks the server that it would ask, for five seconds. */
export async function downloadAnswers(): Promise<boolean> {
  try {
    const address = 'https://update.code.visualstudio.com/api/releases/stable';
    return (await fetch(address, { signal: AbortSignal.timeout(5000) })).ok;
  } catch {
    return false; // no network, or none to there: that is the answer
  }
}
