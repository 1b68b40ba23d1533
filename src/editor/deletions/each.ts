import * as vscode from 'vscode';
import { ServiceError, type ServiceErrorKind } from '../../client/errors.ts';

/** Of the service as a whole: what comes after would meet the same, each after a wait of its own. */
const OF_ALL: readonly ServiceErrorKind[] = [
  'unauthorized',
  'unreachable',
  'not-a-service',
  'redirected',
  'unavailable',
  'timeout',
  'busy',
];

/** One thing may fail by itself; when the next one fails too, it is the service. */
const MOST_FAILED = 2;

/**
 * Deletes one after another. One that is refused does not keep the others; what is of the
 * service as a whole does, as does being called off.
 * @throws the first failure, of several things with how many were deleted; at once what is no failure of the service
 */
export async function deleteEach<T>(items: readonly T[], remove: (item: T) => Promise<unknown>): Promise<void> {
  const problems: unknown[] = [];
  let [deleted, failed] = [0, 0];
  for (const item of items) {
    try {
      await remove(item);
      deleted++;
      failed = 0;
    } catch (problem) {
      // called off: what was refused before is no reason for that
      if (!(problem instanceof ServiceError)) throw problem;
      problems.push(problem);
      failed = problem.kind === 'failed' ? failed + 1 : 0;
      if (failed === MOST_FAILED || OF_ALL.includes(problem.kind)) break;
    }
  }
  if (problems.length > 0) throw partly(problems[0], deleted, items.length);
}

function partly(problem: unknown, deleted: number, total: number): unknown {
  if (!(problem instanceof ServiceError) || total === 1) return problem;
  const { kind, message, status, outcomeUnknown, faults, reason } = problem;
  const sentence =
    deleted === 0
      ? vscode.l10n.t('None of the {0} was deleted. {1}', total, message)
      : vscode.l10n.t('Only {0} of {1} could be deleted. {2}', deleted, total, message);
  return new ServiceError(kind, sentence, { status, outcomeUnknown, faults, reason, cause: problem });
}
