import type { App } from '../app.ts';
import { copySecret, createKey } from '../resources.ts';
import { changeAddress } from './address.ts';
import { checkServiceInUse, switchService } from './switch.ts';
import { setToken, signOut, useKey } from './token.ts';
import { manageStorage, repairStorage } from '../storage.ts';
import type { Reports } from '../ui/reports.ts';
import { nodes, type Handlers } from '../arguments.ts';

/** The commands of this folder. */
export const serviceCommands = (app: App, reports: Reports) =>
  ({
    setToken: () => setToken(app),
    signOut: () => signOut(app),
    switchService: () => switchService(app),
    changeAddress: () => changeAddress(app),
    checkService: () => checkServiceInUse(app, reports),
    createKey: () => createKey(app),
    copySecret: async (node) => {
      const [chosen] = nodes(node, undefined);
      if (chosen) await copySecret(chosen);
    },
    useKey: async (node) => {
      const [chosen] = nodes(node, undefined);
      if (chosen) await useKey(app, chosen);
    },
    manageStorage: () => manageStorage(app),
    repairStorage: () => repairStorage(app),
  }) satisfies Handlers;
