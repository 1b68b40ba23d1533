import { showPage } from '../shared/show-page.tsx';
import { ChartPage } from './page.tsx';
import './style.css';

showPage(ChartPage);
