import '../shared/words.ts';
import type { ChartState, SentIntent } from '../../editor/views/chart/protocol.ts';
import { showPage } from '../shared/show-page.tsx';
import { ChartPage } from './page.tsx';
import '../shared/style.css';
import '../shared/menu.css';
import './style.css';

showPage<ChartState, SentIntent>(ChartPage);
