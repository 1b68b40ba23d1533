import '../shared/words.ts';
import type { ModelIntent } from '../../editor/views/model/protocol.ts';
import type { ModelState } from '../../editor/views/model/view.ts';
import { showPage } from '../shared/show-page.tsx';
import { ModelPage } from './page.tsx';
import '../shared/style.css';
import './style.css';

showPage<ModelState, ModelIntent>(ModelPage);
