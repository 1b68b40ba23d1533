import '../shared/words.ts';
import type { ReadingIntent } from '../../editor/views/file-reading/protocol.ts';
import type { ReadingState } from '../../editor/views/file-reading/view.ts';
import { showPage } from '../shared/show-page.tsx';
import { ReadingView } from './page.tsx';
import '../shared/style.css';
import './style.css';

showPage<ReadingState, ReadingIntent>(ReadingView);
