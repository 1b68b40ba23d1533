import type * as vscode from 'vscode';
import type { LocalFineTunedModel } from '../../../contract/local.ts';
import { MODEL_VIEW_TYPE } from '../../names.ts';
import { PageHost } from '../shared/page-host.ts';
import { ModelPage, type ModelServices } from './page.ts';
import { ModelIntent, ModelRef, type ModelState } from './protocol.ts';

const keyOf = ({ serviceId, modelId }: Omit<ModelRef, 'isUsableAnyway'>): string =>
  JSON.stringify([serviceId, modelId]);

/** The pages of fine-tuned models, one for each. */
export class ModelPages extends PageHost<ModelState, ModelIntent, ModelPage> {
  readonly #services: ModelServices;

  constructor(services: ModelServices & { readonly extensionUri: vscode.Uri }) {
    const make = (ref: ModelRef, changed: () => void, title?: string) => new ModelPage(ref, services, changed, title);
    super({ viewType: MODEL_VIEW_TYPE, bundle: 'model', ref: ModelRef, intent: ModelIntent, keyOf, make }, services);
    this.#services = services;
  }

  /** @param isUsableAnyway whether its service tells no more of it, so that it may be tried */
  show(serviceId: string, model: LocalFineTunedModel, isUsableAnyway = false): void {
    const ref = { serviceId, modelId: model.id, isUsableAnyway };
    this.open(ref, (_, changed) => new ModelPage(ref, this.#services, changed, model));
  }
}
