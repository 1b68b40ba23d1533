import '../shared/words.ts';
import type { ModelIntent, ModelState } from '../../editor/views/model/protocol.ts';
import { showPage } from '../shared/show-page.tsx';
import { ModelPage } from './page.tsx';
import '../shared/style.css';
import './style.css';

showPage<ModelState, ModelIntent>(ModelPage);
