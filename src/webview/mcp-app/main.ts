import './theme.css';
import './host.ts';
import '../chart/main.tsx';
