import '../shared/words.ts';
import { showPage } from '../shared/show-page.tsx';
import { ReadingView } from './page.tsx';
import '../shared/style.css';
import './style.css';

showPage(ReadingView);
