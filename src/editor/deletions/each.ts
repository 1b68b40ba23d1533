import * as vscode from 'vscode';
import { ServiceError, type ServiceErrorKind } from '../../client/errors.ts';

/** Of the service as a whole: what comes after would meet the same, each after a wait of its own. */
const OF_ALL: readonly ServiceErrorKind[] = [
  'unauthorized',
  'unreachable',
  'not-a-service',
  'redirected',
  'unavailable',
];

/**
 * Deletes one after another. One that is refused does not keep the others.
 * @throws the first failure, once all were asked for; of several things it says how many were deleted
 */
export async function deleteEach<T>(items: readonly T[], remove: (item: T) => Promise<unknown>): Promise<void> {
  const problems: unknown[] = [];
  let deleted = 0;
  for (const item of items) {
    try {
      await remove(item);
      deleted++;
    } catch (problem) {
      problems.push(problem);
      if (problem instanceof ServiceError && OF_ALL.includes(problem.kind)) break;
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
