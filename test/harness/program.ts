/**
 * How Node runs a service, a worker and the package for teams. New objects have 3 × 8 MB until they are looked through:
 * V8's own choice grows to more than 128 MB in a program that runs for long, of which five are in use.
 */
export const PROGRAM_FLAGS: readonly string[] = ['--max-semi-space-size=8'];
