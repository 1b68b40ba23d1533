import type { App } from '../app.ts';
import { createKey } from '../resources.ts';
import { changeAddress } from './address.ts';
import { checkServiceInUse, switchService } from './switch.ts';
import { setToken, signOut, useKey } from './token.ts';
import { manageStorage, repairStorage } from '../storage.ts';
import { ADDRESS_ALONE, REPAIR } from '../ui/failure.ts';
import type { Reports } from '../ui/reports.ts';
import { nodes, type Handlers } from '../arguments.ts';

/** The commands of this folder. */
export const serviceCommands = (app: App, reports: Reports) =>
  ({
    setToken: async (node) => {
      const [key] = nodes(node, undefined);
      await (key?.kind === 'key' ? useKey(app, key) : setToken(app));
    },
    signOut: () => signOut(app),
    switchService: (what) => (what === ADDRESS_ALONE ? changeAddress(app) : switchService(app)),
    checkService: () => checkServiceInUse(app, reports),
    createKey: () => createKey(app),
    manageStorage: (what) => (what === REPAIR ? repairStorage(app) : manageStorage(app)),
  }) satisfies Handlers;
